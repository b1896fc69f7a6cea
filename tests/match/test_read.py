"""Whatever form a traceback is pasted in, the same frames, message and versions are read out of it."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from unmeta.kb.runs import Frame
from unmeta.match.compile import grammar_here
from unmeta.match.evidence import stem
from unmeta.match.read import Reader
from unmeta.train.forms import FORMS, Chained, put

READER = Reader(grammar_here())

MESSAGE = (
    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
    "torch.nn.Module.to() when moving module from meta to a different device."
)
PARTS = [
    Chained(
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


CHAINED = ("futures", "multiprocess", "wrapper")  # forms that put frames of their own behind
SHORT = ("last_line", "last_ten", "http_body")  # forms that cut frames off


@pytest.mark.parametrize("name", [name for name in FORMS if name not in SHORT])
def test_every_form_shows_the_same_frames(name):
    paste = READER.read(FORMS[name](PARTS))
    if name in CHAINED:
        start = next(at for at, frame in enumerate(paste.frames) if frame.function == "main")
        frames = paste.frames[start : start + 5]
    else:
        frames = paste.frames[-5:]
    functions = [frame.function for frame in frames]
    assert functions == ([*FUNCTIONS[:-1], ""] if name == "pytest_long" else FUNCTIONS)
    assert [frame.module for frame in frames][-4:] == MODULES
    assert [frame.user for frame in frames] == [True, False, False, False, False]


@pytest.mark.parametrize(
    "name", [name for name in FORMS if name not in ("rich_box", "wrapped", "http_body", "wrapper")]
)
def test_every_form_shows_the_message(name):
    _, kind, text = next(m for m in reversed(READER.read(FORMS[name](PARTS)).messages) if m[2])
    assert kind == "NotImplementedError"
    assert text.startswith("Cannot copy out of meta tensor; no data! Please use")


@pytest.mark.parametrize(
    "name",
    ["cpython", "ipython", "ipython_7", "rich_box", "torchrun", "quoted", "docker", "loguru", "json_field"],
)
def test_the_code_of_a_frame_is_kept(name):
    frames = READER.read(FORMS[name](PARTS)).frames
    assert [frame.code for frame in frames][1] == "model.to(device)"


def test_a_traceback_with_a_gap_is_not_complete():
    text = FORMS["cpython"](PARTS)
    assert READER.read(text).complete
    lines = text.splitlines()
    assert not READER.read("\n".join([*lines[:4], "  ...", *lines[8:]])).complete
    assert not READER.read("\n".join(lines[-8:])).complete
    assert not READER.read("\n".join(lines[:-1])).complete


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
    assert READER.frame(f'File "{path}", line 3, in f', 0).module == module
    assert READER.frame(f'File "{path}", line 3, in f', 0).user == user


def texts(text):
    return [line.text for line in READER.read(text).lines]


def test_ranks_are_untangled():
    text = "[rank1]: one\n[rank0]: a\nplain\n[rank1]: two\n[rank0]: b"
    assert texts(text) == ["plain", "one", "two", "a", "b"]


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
    assert READER.read(line).versions == versions


def test_words_lose_their_commonest_endings():
    assert stem("classes") == "class"
    assert stem("less") == "less"


def test_a_long_log_keeps_what_matters_and_where_it_stood():
    log = "step 1 loss 2.0 all is well\n" * 20_000
    text = log + "RuntimeError: Tensor.item() cannot be called on meta tensors\n" + log + "the end"
    lines = READER.read(text).lines
    assert sum(len(line.text) for line in lines) <= READER.limits["characters"]
    said = next(line for line in lines if "cannot be called on meta tensors" in line.text)
    assert said.number == 20_001
    assert (lines[-1].text, lines[-1].number) == ("the end", 40_002)


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
    paste = READER.read(text)
    assert all(line.text.isascii() for line in paste.lines)
    assert all(line.zone for line in paste.lines)
    numbers = [line.number for line in paste.lines if not line.rank]
    assert numbers == sorted(numbers)
    assert all(0 <= frame.at < len(paste.lines) for frame in paste.frames)


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
    paste = READER.read(unit * (1_000_000 // len(unit)))
    assert paste.messages == []


def test_signs_that_have_a_plain_form_are_kept_as_that():
    assert texts("“a”… – │ ❱ é🦙") == ['"a"... - | --> ?']


def test_the_ranks_that_printed_are_kept():
    assert READER.read("[rank1]: one\n[rank0]: a\nplain").ranks == ["1", "0"]
    assert READER.read("plain").ranks == []


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
    paste = READER.read("\n".join(prefix + line for line in lines))
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
    assert READER.read("\n".join(lines)).complete


def test_what_the_next_line_does_not_share_is_no_prefix():
    lines = ["it failed: Traceback (most recent call last):", '  File "a.py", line 3, in f', "ValueError: no"]
    assert texts("\n".join(lines))[0] == "it failed: Traceback (most recent call last):"


def zones(text):
    return [(line.zone, line.text) for line in READER.read(text).lines]


def test_each_line_of_a_traceback_has_the_zone_of_whose_words_it_holds():
    found = zones(FORMS["cpython"](PARTS))
    assert [zone for zone, _ in found[:7]] == ["noise", "own", "code", "noise", "own", "code", "noise"]
    assert found[5] == ("code", "model.to(device)")
    assert {zone for zone, text in found if "super().to" in text} == {"source"}
    assert found[-1][0] == "message"


def test_a_librarys_source_is_no_message():
    text = put(
        FORMS["cpython"](PARTS).replace("raise NotImplementedError(", 'raise ValueError("no data!")'),
        "ipython",
    )
    assert ("source", 'raise ValueError("no data!")') in zones(text)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("I load it with device_map and then it stops.", "prose"),
        ("AutoModel.from_pretrained(path, device_map='auto'), then model.to('cuda').", "prose"),
        ("model = AutoModel.from_pretrained(path)", "code"),
        ("model.to('cuda')", "code"),
        ("import torch", "code"),
        ("2025-03-14 09:26:53,535 INFO app: loading the model now", "log"),
        ("[W] lm_head.weight | MISSING |", "log"),
        ("Loading checkpoint shards: 100%|##########| 5/5 [00:00<00:00, 33.44it/s]", "noise"),
        ("transformers==4.57.1", "versions"),
        ("ValueError: no", "message"),
        ("/x/site-packages/torch/a.py:3: UserWarning: beware", "message"),
    ],
)
def test_a_single_line_has_a_zone(text, zone):
    assert [found for found, _ in zones(text)] == [zone]


def test_a_sentence_below_a_message_is_the_readers():
    text = "RuntimeError: Tensor.item() cannot be called on meta tensors\ncalflops: counts what it does."
    assert [zone for zone, _ in zones(text)] == ["message", "prose"]


def test_what_a_message_goes_on_with_is_its_own():
    text = 'RuntimeError: Error(s) in loading state_dict for A:\n    Missing key(s) in state_dict: "a".'
    assert [zone for zone, _ in zones(text)] == ["message", "message"]


def test_lines_keep_their_numbers_through_escapes_and_ranks():
    field = '{"exc": "Traceback (most recent call last):\\n  File \\"a.py\\", line 3, in f\\nValueError: no"}'
    text = f"[rank1]: b\n{field}\nc"
    assert [(line.number, line.text) for line in READER.read(text).lines][:2] == [
        (2, '{"exc": "Traceback (most recent call last):'),
        (2, 'File "a.py", line 3, in f'),
    ]
    assert READER.read(text).lines[-1].number == 1, "lines of ranks come last"


def test_a_traceback_on_one_line_has_all_its_frames():
    text = (
        'Traceback (most recent call last): File "a.py", line 3, in f one() File "b.py", line 4, in g two()'
    )
    assert [(frame.function, frame.code) for frame in READER.read(text).frames] == [
        ("f", "one()"),
        ("g", "two()"),
    ]


def test_a_sentence_that_begins_below_a_message_is_none_of_it():
    text = "RuntimeError: Cannot copy out of meta tensor; no data!\nHelp me with this error please"
    assert [zone for zone, _ in zones(text)] == ["message", "prose"]
