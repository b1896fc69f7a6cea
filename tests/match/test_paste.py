"""Whatever form a traceback is pasted in, the same frames, message and versions are read out of it."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mangle import FORMS, Part

from unmeta.kb.runs import Frame
from unmeta.match.paste import LIMIT, Paste, ascii_text, bound, clean, module_of, stem, words_of

MESSAGE = (
    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
    "torch.nn.Module.to() when moving module from meta to a different device."
)
PARTS = [
    Part(
        "NotImplementedError",
        MESSAGE,
        (
            Frame("run.py", 12, "<module>", "main()", library=False),
            Frame("run.py", 9, "main", "model.to(device)", library=False),
            Frame("transformers/modeling_utils.py", 4460, "to", "return super().to(*args, **kwargs)"),
            Frame("torch/nn/modules/module.py", 1369, "to", "return self._apply(convert)"),
            Frame("torch/nn/modules/module.py", 928, "_apply", "module._apply(fn)"),
            Frame("torch/nn/modules/module.py", 1362, "convert", "raise NotImplementedError("),
        ),
    )
]
FUNCTIONS = ["main", "to", "to", "_apply", "convert"]
MODULES = ["transformers/modeling_utils", *["torch/nn/modules/module"] * 3]


@pytest.mark.parametrize("name", FORMS)
def test_every_form_shows_the_same_frames(name):
    paste = Paste(FORMS[name](PARTS))
    functions = [frame.function for frame in paste.frames][-5:]
    assert functions == ([*FUNCTIONS[:-1], ""] if name == "pytest_long" else FUNCTIONS)
    assert [frame.module for frame in paste.frames][-4:] == MODULES
    assert [frame.user for frame in paste.frames][-5:] == [True, False, False, False, False]


@pytest.mark.parametrize("name", [name for name in FORMS if name not in ("rich_box", "wrapped")])
def test_every_form_shows_the_message(name):
    _, kind, text = next(m for m in reversed(Paste(FORMS[name](PARTS)).messages) if m[2])
    assert kind == "NotImplementedError"
    assert text.startswith("Cannot copy out of meta tensor; no data! Please use")


@pytest.mark.parametrize(
    "name", ["cpython", "ipython", "ipython_7", "rich_box", "torchrun", "quoted", "docker"]
)
def test_the_code_of_a_frame_is_kept(name):
    frames = Paste(FORMS[name](PARTS)).frames
    assert [frame.code for frame in frames][1] == "model.to(device)"


def test_a_traceback_with_a_gap_is_not_complete():
    text = FORMS["cpython"](PARTS)
    assert Paste(text).complete
    lines = text.splitlines()
    assert not Paste("\n".join([*lines[:4], "  ...", *lines[8:]])).complete
    assert not Paste("\n".join(lines[-8:])).complete
    assert not Paste("\n".join(lines[:-1])).complete


@pytest.mark.parametrize(
    ("path", "module", "user"),
    [
        (
            "/opt/conda/envs/x/lib/python3.10/site-packages/torch/nn/modules/module.py",
            "torch/nn/modules/module",
            False,
        ),
        (r"C:\Users\A B\venv\Lib\site-packages\peft\peft_model.py", "peft/peft_model", False),
        ("/usr/lib/python3/dist-packages/accelerate/hooks.py", "accelerate/hooks", False),
        ("/usr/lib/python3.11/threading.py", "threading", False),
        (
            "/root/.cache/huggingface/modules/transformers_modules/a/b/modeling.py",
            "transformers_modules/a/b/modeling",
            True,
        ),
        ("/src/transformers/src/transformers/modeling_utils.py", "transformers/modeling_utils", False),
        ("/repo/diffusers/examples/train.py", "/repo/diffusers/examples/train", True),
        ("/home/me/app/main.py", "/home/me/app/main", True),
        ("/x/lib/python3.9/site-packages/torch/_prims/__init__.py", "torch/_prims", False),
    ],
)
def test_paths_become_modules(path, module, user):
    assert module_of(path) == (module, user)


def test_ranks_are_untangled():
    text = "[rank1]: one\n[rank0]: a\nplain\n[rank1]: two\n[rank0]: b"
    assert clean(text) == ["plain", "one", "two", "a", "b"]


@pytest.mark.parametrize(
    ("line", "versions"),
    [
        ("torch==2.3.1+cu121", {"torch": "2.3.1+cu121"}),
        ("- PyTorch version (GPU?): 2.6.0 (True)", {"torch": "2.6.0"}),
        ("- `transformers` version: 4.57.1", {"transformers": "4.57.1"}),
        ("PyTorch version: 2.1.2", {"torch": "2.1.2"}),
        ("sentence_transformers   5.1.0", {"sentence-transformers": "5.1.0"}),
        ("fails with transformers v5, not with 4.57", {"transformers": "5"}),
        ("[pip3] torch==2.1.0", {"torch": "2.1.0"}),
        ("- Python version: 3.11.4", {"python": "3.11.4"}),
        ("torchvision 0.15.1", {}),
        ("accelerate launch --num_processes 2", {}),
    ],
)
def test_versions_are_read(line, versions):
    assert Paste(line).versions == versions


def test_words_are_whole_and_in_parts():
    assert words_of("AutoAWQForCausalLM merge_and_unload loading") == [
        "autoawqforcausallm",
        "auto",
        "awq",
        "for",
        "causal",
        "lm",
        "merge_and_unload",
        "merge",
        "and",
        "unload",
        "load",
    ]
    assert stem("classes") == "class"
    assert stem("less") == "less"


def test_a_long_log_keeps_what_matters():
    log = "step 1 loss 2.0 all is well\n" * 20_000
    text = log + "RuntimeError: Tensor.item() cannot be called on meta tensors\n" + log + "the end"
    kept = bound(text)
    assert len(kept) <= LIMIT
    assert "cannot be called on meta tensors" in kept
    assert kept.endswith("the end")
    assert bound(text[:LIMIT]) == text[:LIMIT]


pieces = st.sampled_from(
    [
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in f',
        "    x.to(d)",
        "ValueError: no",
        "> ",
        "```",
        "[rank0]: ",
        "2025-01-02 03:04:05,678 ",
        "ERROR ",
        "\x1b[31m",
        "\x1b[0m",
        "&lt;module&gt;",
        "<br>",
        "│ ",
        "…",
        "\r\n",
        "\n",
        "\u200b",
        "Cell In[3], line 4",
        "/x/site-packages/torch/a.py:3, in f(x)",
        "E   ",
        " | ",
        "🦙",
        "\x00",
        "é",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(pieces, st.text(max_size=12)), max_size=40).map("".join))
@example("\ud800 lone surrogate")
@example("&amp;amp;lt;")
@example("")
def test_any_text_is_read(text):
    paste = Paste(text)
    assert all(line.isascii() and line == line.strip(" ") and line for line in paste.lines)
    assert all(0 <= frame.at < len(paste.lines) for frame in paste.frames)


@pytest.mark.parametrize("name", FORMS)
def test_cleaning_twice_is_cleaning_once(name):
    once = clean(FORMS[name](PARTS))
    assert clean("\n".join(once)) == once


plain_lines = st.text(alphabet="abc XY.:,()=_0123456789", max_size=60)
prefixes = st.sampled_from(
    ["", "> ", "[rank3]: ", "12:13:14 ", "E   ", "2025-01-02 03:04:05 ", "| ", "(W pid=3) "]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(prefixes, plain_lines).map("".join), max_size=20))
def test_cleaning_is_idempotent(lines):
    once = clean("\n".join(lines))
    assert clean("\n".join(once)) == once


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        " ",
        "[",
        "[0",
        "\x1b[",
        "\x1b]",
        "&amp;",
        "<br",
        "<span ",
        'File "',
        "File x.py:1, in f ",
        "| ",
        "> ",
        "+-",
        "Error: ",
        "A.",
        "x.py",
        "[rank0]: ",
        "2025-01-02 03:04:05 ",
        "é",
        "🦙",
        '\\n  File "a',
        "torch==",
        "In[1]",
        "a_B1",
        "meta tensor ",
        "Traceback (most recent call last):",
        '", line ',
    ],
)
def test_a_megabyte_of_one_thing_is_read(unit):
    paste = Paste(unit * (1_000_000 // len(unit)))
    assert paste.messages == []


def test_ascii_text_keeps_signs_that_have_a_plain_form():
    assert ascii_text("“a”… – │ ❱ é🦙") == '"a"... - | --> ?'


def test_the_ranks_that_printed_are_kept():
    assert Paste("[rank1]: one\n[rank0]: a\nplain").ranks == ["1", "0"]
    assert Paste("plain").ranks == []


@pytest.mark.parametrize(
    "prefix",
    [
        "14: [rank14]: ",
        "stderr: [rank3]: ",
        "[stderr] ",
        "rank0: ",
        " 3: ",
        "node001: ",
        "[node-0:0]:",
        "[1,mpirank:3,algo-1]<stderr>:",
        "(VllmWorkerProcess pid=1234) ERROR 07-18 07:30:59 multiproc_worker_utils.py:226] ",
        "ERROR 07-18 07:30:59 [core.py:586] ",
        "2024-05-31T12:14:51,991 [WARN ] W-29500-mistral_1.0-stderr MODEL_LOG - ",
        "[2024-05-31 12:14:51,991: ERROR/ForkPoolWorker-1] ",
        "[2024-05-31, 12:14:51 UTC] {logging_mixin.py:188} WARNING - ",
        "2024-05-31 12:14:51.991 | ERROR    | __main__:main:12 - ",
    ],
)
def test_what_stands_before_a_header_and_below_it_is_a_prefix(prefix):
    lines = [
        "Traceback (most recent call last):",
        '  File "/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1340, in to',
        "    return self._apply(convert)",
        "NotImplementedError: Cannot copy out of meta tensor; no data!",
    ]
    paste = Paste("\n".join(prefix + line for line in lines))
    assert [(frame.function, frame.code) for frame in paste.frames] == [("to", "return self._apply(convert)")]
    assert [message[1:] for message in paste.messages] == [
        ("NotImplementedError", "Cannot copy out of meta tensor; no data!")
    ]
    assert paste.complete


def test_digits_of_an_unknown_prefix_may_change():
    lines = [
        "worker-7 | 1201 Traceback (most recent call last):",
        'worker-7 | 1202   File "/x/site-packages/torch/_ops.py", line 3, in __call__',
        "worker-7 | 1203 RuntimeError: no",
    ]
    assert Paste("\n".join(lines)).complete


def test_what_the_next_line_does_not_share_is_no_prefix():
    lines = ["it failed: Traceback (most recent call last):", '  File "a.py", line 3, in f', "ValueError: no"]
    assert Paste("\n".join(lines)).lines[0] == "it failed: Traceback (most recent call last):"
