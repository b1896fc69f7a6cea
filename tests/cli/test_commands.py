"""The command as its users meet it: answers, exit codes, and errors that say what to do."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from unmeta import cli
from unmeta.cli import door
from unmeta.kb import findings

GOOD = Path(__file__).resolve().parent.parent / "good"
PASTE = "NotImplementedError: Cannot copy out of meta tensor; no data!"


class Terminal:
    """Run the command in this process and keep what it prints."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = cli.main(argv)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err


@pytest.fixture
def unmeta(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], root: Path) -> Terminal:
    monkeypatch.chdir(root)
    return Terminal(monkeypatch, capsys)


def test_a_known_message_is_explained(unmeta: Terminal) -> None:
    code, out, _ = unmeta("explain", stdin=PASTE.encode())
    assert code == door.OK
    assert "Cannot copy out of meta tensor; no data!" in out
    assert "unmeta show " in out


def test_json_has_the_names_of_the_object(unmeta: Terminal) -> None:
    code, out, _ = unmeta("explain", "--json", stdin=PASTE.encode())
    data: dict[str, Any] = json.loads(out)
    assert code == door.OK
    assert data["known"] is True
    assert data["symptoms"] == ["no-data-to-copy"]
    assert {"id", "title", "url", "yes", "no", "open"} <= set(data["causes"][0])


def test_what_is_no_meta_problem_is_told_so(unmeta: Terminal) -> None:
    text = "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, "
    code, out, _ = unmeta("explain", stdin=(text + "cuda:0 and cpu!").encode())
    assert code == door.NO
    assert "unmeta show" not in out


@pytest.mark.parametrize("paste", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_paste(unmeta: Terminal, paste: bytes) -> None:
    code, out, err = unmeta("explain", stdin=paste)
    assert (code, out) == (door.BAD, "")
    assert "nothing was pasted" in err


def test_binary(unmeta: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "core"
    path.write_bytes(bytes(range(256)) * 40)
    code, _, err = unmeta("explain", str(path))
    assert code == door.BAD
    assert "binary" in err


def test_a_file_that_is_not_there(unmeta: Terminal) -> None:
    code, _, err = unmeta("explain", "no/such/paste.txt")
    assert code == door.BAD
    assert err == "unmeta: cannot read no/such/paste.txt: No such file or directory\n"


def test_a_folder_is_no_paste(unmeta: Terminal, tmp_path: Path) -> None:
    code, _, err = unmeta("explain", str(tmp_path))
    assert code == door.BAD
    assert "cannot read" in err


def test_utf_16_of_a_windows_terminal(unmeta: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "paste.txt"
    path.write_bytes(PASTE.encode("utf-16"))
    assert unmeta("explain", str(path))[0] == door.OK


def test_a_log_of_100_megabytes_is_read_at_both_ends(unmeta: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    line = b"step 100 loss 0.25 lr 1e-4\n"
    with path.open("wb") as file:
        file.write(b"torch==2.13.0\n")
        for _ in range(100):
            file.write(line * (1_000_000 // len(line)))
        file.write(PASTE.encode())
    code, out, _ = unmeta("explain", "--json", str(path))
    assert code == door.OK
    assert json.loads(out)["symptoms"] == ["no-data-to-copy"]


def test_reading_keeps_no_more_than_its_bounds() -> None:
    raw = door._bounded(io.BytesIO(b"a" * door.HEAD + b"b" * 30_000_000 + b"c"))
    assert len(raw) < door.HEAD + door.TAIL + (1 << 21)
    assert raw.startswith(b"a")
    assert raw.endswith(b"c")
    assert b"bytes left out" in raw


@pytest.mark.parametrize(
    "name", ["load-state-dict-no-op", "no-data-to-copy", "module-stays-on-meta", "clone-stays-on-meta"]
)
def test_show_prints_every_kind_of_entry(unmeta: Terminal, name: str) -> None:
    code, out, _ = unmeta("show", name)
    assert code == door.OK
    assert name in out


def test_every_entry_has_its_text(catalogue: Any, root: Path) -> None:
    from unmeta.cli.entry import render
    from unmeta.match.likely import entries_of
    from unmeta.terminal import Paper

    data = entries_of(root)
    for kind in ("causes", "symptoms", "facts"):
        for entry in data[kind]:
            text = render(entry, Paper())
            title = entry.get("title", entry.get("statement"))
            assert " ".join(text.split()).startswith(" ".join(title.split()))
            assert entry["id"] in text
            assert not [known for known in catalogue.causes if f"[[{known}" in text]
            assert "\x1b[" in render(entry, Paper(coloured=True))


def test_show_helps_with_a_wrong_id(unmeta: Terminal) -> None:
    code, _, err = unmeta("show", "load-state-dict-noop")
    assert code == door.BAD
    assert "did you mean load-state-dict-no-op" in err


def test_check_names_file_line_rule_and_remedy(unmeta: Terminal, tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "kb")
    path = root / "kb/causes/half-copied.yaml"
    path.write_text(path.read_text().replace("area: torch", "area: torch\ncolour: red"))
    code, out, _ = unmeta("check", "--root", str(root))
    assert code == door.NO
    assert "kb/causes/half-copied.yaml:3: unknown-key: unknown key 'colour'" in out
    assert "→" in out


def test_what_is_not_yet_kept_is_counted_and_listed_on_request(
    unmeta: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = shutil.copytree(GOOD, tmp_path / "kb")
    muted = "snippets/half-copied/fix-build-for-real.py"
    shutil.copy(GOOD.with_name("bad") / "mutes" / muted, root / muted)
    monkeypatch.setattr(findings, "PENDING", {"mutes"})
    _, out, _ = unmeta("check", "--root", str(root))
    assert ": mutes: " not in out
    assert "not yet kept, see --pending: mutes 1\n" in out
    for entry in ((), ("half-copied",)):
        code, out, _ = unmeta("check", "--pending", *entry, "--root", str(root))
        assert (code, out.count(f"{muted}:7: mutes: ")) == (door.OK, 1)
    assert unmeta("check", "--pending", "other", "--root", str(root))[1] == "clean\n"
    monkeypatch.setattr(findings, "PENDING", set())
    code, out, _ = unmeta("check", "--root", str(root))
    assert (code, ": mutes: " in out) == (door.NO, True)


def test_check_outside_a_checkout(unmeta: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = unmeta("check")
    assert code == door.BAD
    assert "no knowledge base here" in err


FRAMES = (
    'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    model.to("cpu")\n'
    '  File "/usr/lib/python3/site-packages/mylib/loader.py", line 7, in place\n    model.to(device)\n'
    '  File "/usr/lib/python3/site-packages/my: lib/loader.py", line 7, in <lambda>\n    model.to(device)\n'
    '  File "/usr/lib/python3/site-packages/torch/nn/modules/module.py", line 1384, in to\n'
    "    return self._apply(convert)\n"
)


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A checkout whose one cause has a recorded run."""
    from unmeta.kb.load import load
    from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
    from unmeta.verify import ledger

    root = shutil.copytree(GOOD, tmp_path / "kb")
    catalogue = load(root)
    frames = (Frame("broken.py", 9, "<module>", library=False), Frame("torch/nn/modules/module.py", 1, "to"))
    text = "Cannot copy out of meta tensor; no data!"
    event = Event(
        "exception", "NotImplementedError", text, chain=(Raised("NotImplementedError", text, frames),)
    )
    key = "half-copied/broken.py"
    seen = Observation(catalogue.snippets[key].digest, "raised", False, (event,), date="2026-01-01")
    ledger.record(root, [Runs("here", "cpu", catalogue.reference.versions, {key: seen})], [key])
    return root


def test_a_new_cause_starts_from_its_paste(unmeta: Terminal, begun: Path, tmp_path: Path) -> None:
    from unmeta.kb.load import load
    from unmeta.verify.checks import findings_of

    paste = tmp_path / "paste.txt"
    paste.write_text(FRAMES + PASTE)
    code, out, _ = unmeta("new", "my-cause", "--from", str(paste), "--root", str(begun))
    assert code == door.OK
    assert "kb/causes/my-cause.yaml\nsnippets/my-cause/broken.py\nsnippets/my-cause/fix-todo.py\n" in out
    assert "snippets/my-cause/trap-todo.py" in out
    assert "pytest snippets/my-cause --record" in out
    assert "--face-of" in out.splitlines()[2], "the known cause that fits best, and the other way"
    catalogue = load(begun)
    cause = catalogue.causes["my-cause"]
    assert [shown.id for shown in cause.symptoms] == ["no-data-to-copy"]
    assert cause.traps[0].id == cause.fixes[0].id == "todo"
    left = {(finding.rule, finding.path) for finding in findings_of(catalogue)}
    assert {("todo", "kb/causes/my-cause.yaml"), ("todo", "snippets/my-cause/broken.py")} <= left


def test_the_functions_proposed_are_those_that_rivals_lack(begun: Path) -> None:
    from unmeta.kb.evidence import load as recorded
    from unmeta.kb.load import load
    from unmeta.match.frames import library_functions
    from unmeta.match.telling import function_of, passed_by, telling

    functions = [function_of(name) for name in library_functions(FRAMES) if name.count(":") == 1]
    by_cause = passed_by(load(begun), recorded(begun).values())
    assert [name for _, name in telling(functions, [], by_cause)] == ["place", "to"]
    assert [name for _, name in telling(functions, ["half-copied"], by_cause)] == ["place"]


def test_a_message_that_nobody_knows_gets_its_symptom(unmeta: Terminal, begun: Path, tmp_path: Path) -> None:
    from unmeta.kb.load import load

    paste = tmp_path / "paste.txt"
    paste.write_text(FRAMES + "mylib.OddError: shards {0} of 'a: b' have no bytes\n")
    code, out, _ = unmeta("new", "my-cause", "--from", str(paste), "--root", str(begun))
    assert code == door.OK
    assert "kb/symptoms/shards-of-a-b-have.yaml" in out
    catalogue = load(begun)
    symptom = catalogue.symptoms["shards-of-a-b-have"]
    assert catalogue.causes["my-cause"].symptoms[0].tells == "alone"
    assert (symptom.type, symptom.messages["bare"].text) == (
        ["OddError"],
        "shards {{0}} of 'a: b' have no bytes",
    )


@pytest.mark.parametrize("faces", ["", "faces: []\n", "faces:\n  - id: one\n    title: One\n    symptoms:\n"
                                   "      - {id: nothing-to-copy, tells: alone}\n"])  # fmt: skip
def test_another_face_of_a_cause(unmeta: Terminal, begun: Path, tmp_path: Path, faces: str) -> None:
    from unmeta.kb.load import load

    path = begun / "kb/causes/half-copied.yaml"
    path.write_text(path.read_text().replace("fixes:\n", f"{faces}fixes:\n"))
    paste = tmp_path / "paste.txt"
    paste.write_text(FRAMES + PASTE)
    arguments = ("new", "two", "--face-of", "half-copied", "--from", str(paste), "--root", str(begun))
    code, out, _ = unmeta(*arguments)
    assert code == door.OK
    assert "snippets/half-copied/broken-two.py\nkb/causes/half-copied.yaml\n" in out
    cause = load(begun).causes["half-copied"]
    assert [face.id for face in cause.faces][-1] == "two"
    assert cause.fixes[0].id == "build-for-real"
    script, main = (begun / f"snippets/half-copied/{name}.py" for name in ("broken-two", "broken"))
    assert script.read_text().split("\n")[1:] == main.read_text().split("\n")[1:], "stage and goal are shared"
    assert "TODO" in script.read_text().split("\n")[0]
    code, _, err = unmeta(*arguments)
    assert (code, "has a face 'two' already" in err) == (door.BAD, True)


def test_a_face_with_a_message_that_nobody_knows_gets_its_symptom(
    unmeta: Terminal, begun: Path, tmp_path: Path
) -> None:
    from unmeta.kb.load import load

    paste = tmp_path / "paste.txt"
    paste.write_text("RuntimeError: the teapot is empty\n")
    code, out, _ = unmeta(
        "new", "two", "--face-of", "half-copied", "--from", str(paste), "--root", str(begun)
    )
    assert (code, "kb/symptoms/the-teapot-is-empty.yaml\n" in out) == (door.OK, True)
    catalogue = load(begun)
    (shown,) = catalogue.causes["half-copied"].faces[-1].symptoms
    assert (shown.id, shown.tells) == ("the-teapot-is-empty", "alone")
    assert catalogue.symptoms["the-teapot-is-empty"].title == "the teapot is empty"


@pytest.mark.parametrize(
    ("name", "cause", "says"),
    [("two", "half-copid", "did you mean 'half-copied'?"), ("Two", "half-copied", "'Two'")],
)
def test_a_face_needs_a_cause_and_an_id(
    unmeta: Terminal, begun: Path, name: str, cause: str, says: str
) -> None:
    code, _, err = unmeta("new", name, "--face-of", cause, "--root", str(begun))
    assert (code, says in err) == (door.BAD, True)


@pytest.mark.parametrize(
    ("name", "says"),
    [("My_Cause", "is not an id"), ("half-copied", "already names the cause"), ("old-name", "already")],
)
def test_a_new_cause_needs_a_free_id(unmeta: Terminal, name: str, says: str) -> None:
    code, _, err = unmeta("new", name, "--root", str(GOOD))
    assert code == door.BAD
    assert says in err


def test_new_overwrites_nothing(unmeta: Terminal, tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "kb")
    (root / "snippets/my-cause").mkdir()
    (root / "snippets/my-cause/broken.py").write_text("mine")
    code, _, err = unmeta("new", "my-cause", "--root", str(root))
    assert code == door.BAD
    assert "nothing was written" in err
    assert not (root / "kb/causes/my-cause.yaml").exists()


def test_status_counts(unmeta: Terminal, catalogue: Any) -> None:
    code, out, _ = unmeta("status", "--json")
    counts = json.loads(out)
    assert code == door.OK
    assert counts["causes"] == len(catalogue.causes)
    assert counts["stale"] == 0


def test_a_broken_catalogue_is_an_answer_everywhere(unmeta: Terminal, tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "kb")
    (root / "kb/facts/copy-raises.yaml").write_text("a: [")
    for command in (["status"], ["new", "my-cause"], ["build", str(tmp_path / "out")]):
        code, _, err = unmeta(*command, "--root", str(root))
        assert code == door.BAD
        assert "kb/facts/copy-raises.yaml:" in err


def test_the_wheel_explains_and_shows_without_a_checkout(root: Path, tmp_path: Path) -> None:
    from hatchling.build import build_wheel

    wheel = _in(root, lambda: build_wheel(str(tmp_path)))
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        names = archive.namelist()
        assert "unmeta/match/index.json" in names
        assert names.count("unmeta/match/index.json") == 1
        assert names.count("unmeta/kb/entries.jsonl") == 1
        archive.extractall(tmp_path / "lib")
    here = tmp_path / "elsewhere"
    here.mkdir()
    for argv, says in (
        (["explain", "--json"], '"no-data-to-copy"'),
        (["show", "load-state-dict-no-op"], "assign=True"),
    ):
        program = f"import sys; sys.path.insert(0, {str(tmp_path / 'lib')!r}); from unmeta.cli import main; "
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", program + f"sys.exit(main({argv!r}))"],
            input=PASTE,
            capture_output=True,
            text=True,
            cwd=here,
            check=False,
        )
        assert done.returncode == door.OK, done.stderr
        assert says in done.stdout


def _in(folder: Path, call: Any) -> Any:
    import os

    before = Path.cwd()
    os.chdir(folder)
    try:
        return call()
    finally:
        os.chdir(before)


def test_status_tells_what_cannot_be_read(unmeta: Terminal, begun: Path) -> None:
    for path in (begun / "kb/runs").rglob("half-copied.json"):
        path.write_text("{")
    code, out, err = unmeta("status", "--root", str(begun))
    assert (code, out) == (door.BAD, "")
    assert "half-copied.json" in err


def test_status_as_json_has_the_counts_that_are_printed(unmeta: Terminal, begun: Path) -> None:
    code, out, _ = unmeta("status", "--json", "--root", str(begun))
    counts: dict[str, int] = json.loads(out)
    assert (code, counts["causes"], counts["stacks"]) == (door.OK, 1, 1)
    _, text, _ = unmeta("status", "--root", str(begun))
    assert {(line.split()[0], int(line.split()[1])) for line in text.splitlines()} == set(counts.items())


def test_a_stack_is_forgotten_by_its_name_alone(unmeta: Terminal, begun: Path) -> None:
    from unmeta.verify import ledger

    code, _, err = unmeta("runs", "drop", "hear", "--root", str(begun))
    assert code == door.BAD
    assert "no runs of 'hear'; there are those of here" in err
    assert list(ledger.load(begun)) == ["here"]
    code, _, _ = unmeta("runs", "drop", "here", "--root", str(begun))
    assert code == door.OK
    assert ledger.load(begun) == {}
    assert not list((begun / "kb/runs").rglob("half-copied.json"))
    _, _, err = unmeta("runs", "drop", "here", "--root", str(begun))
    assert "there are those of none" in err


def test_schemas_are_written_where_editors_look(unmeta: Terminal, begun: Path) -> None:
    from unmeta.kb.schema import schemas

    unmeta("check", "--write-schemas", "--root", str(begun))
    folder = begun / "kb/schema"
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == schemas()
    assert "cause.json" in schemas()
