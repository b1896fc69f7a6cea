"""Two recordings, and what differs between them in words."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.cli import main
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.verify import ledger
from unmeta.verify.difference import between, told


def crash(*functions: str, text: str = "no data!", line: int = 1) -> Event:
    frames = tuple(Frame("torch/x.py", line, function) for function in functions)
    return Event("exception", "RuntimeError", text, chain=(Raised("RuntimeError", text, frames),))


SEEN = Observation("a" * 12, "raised", False, (crash("to", "wrapped_func"),))


def words(before: Observation, after: Observation) -> list[str]:
    found = between({"case/a.py": before}, {"case/a.py": after})
    return list(told(found, "old", "new"))


def test_equal_recordings_differ_in_nothing() -> None:
    assert not between({"a": SEEN}, {"a": SEEN})
    assert words(SEEN, SEEN) == [
        "1 runs in both; changed: 0 outcomes, 0 messages, 0 tracebacks; line numbers alone: 0"
    ]


def test_an_outcome() -> None:
    lines = words(SEEN, replace(SEEN, outcome="passed", events=()))
    assert "changed: 1 outcome, 1 message, 0 tracebacks" in lines[0]
    assert lines[2:5] == ["Outcome of case/a.py", "  - raised", "  + passed"]
    assert lines[6:] == ["Message of case/a.py", "  - RuntimeError: no data!"]


def test_a_message_is_named_once_and_its_traceback_not_besides() -> None:
    lines = words(SEEN, replace(SEEN, events=(crash("to", text="none"),)))
    assert lines[2:] == [
        "Message of case/a.py",
        "  - RuntimeError: no data!",
        "  + RuntimeError: none",
    ]


def test_a_frame_less() -> None:
    lines = words(SEEN, replace(SEEN, events=(crash("to"),)))
    assert lines[2:] == ["Traceback of case/a.py", "  - torch/x.py: wrapped_func"]


def test_the_same_change_in_many_scripts_is_told_once() -> None:
    names = [f"case/{letter}.py" for letter in "abcde"]
    found = between(dict.fromkeys(names, SEEN), dict.fromkeys(names, replace(SEEN, events=(crash("to"),))))
    lines = list(told(found, "old", "new"))
    assert "5 tracebacks" in lines[0]
    assert lines[2:] == [
        "Tracebacks of case/a.py, case/b.py, case/c.py and 2 more",
        "  - torch/x.py: wrapped_func",
    ]


def test_line_numbers_and_counts_are_no_difference() -> None:
    moved = replace(SEEN, events=(replace(crash("to", "wrapped_func", line=9), count=4),))
    found = between({"a": SEEN}, {"a": moved})
    assert not found
    assert found.lines == ("a",)


def test_scripts_of_one_side_and_edited_ones() -> None:
    found = between({"a": SEEN, "b": SEEN}, {"b": replace(SEEN, digest="b" * 12), "c": SEEN})
    lines = list(told(found, "old", "new"))
    assert lines[1:] == ["only in old: a", "only in new: c", "script edited between: b"]


# the command


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "kb" / "causes").mkdir(parents=True)
    here = Runs("here", "cpu", {"python": "3.11"}, {"case/a.py": SEEN})
    far = replace(here, stack="far", snippets={"case/a.py": replace(SEEN, events=(crash("to"),))})
    ledger.record(tmp_path, [here, far], ["case/a.py"])
    return tmp_path


def diff(root: Path, *names: str) -> int:
    return main(["runs", "diff", *names, "--root", str(root)])


def test_two_stacks(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(checkout, "here", "far") == 1
    assert "Traceback of case/a.py\n  - torch/x.py: wrapped_func\n" in capsys.readouterr().out


def test_two_commits_and_the_files_as_they_are(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git = ["git", "-C", str(checkout), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    for _ in range(2):
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-qm", "x", "--allow-empty"], check=True)
    assert diff(checkout, "HEAD~1", "HEAD") == 0
    changed = Runs("here", "cpu", {"python": "3.11"}, {"case/a.py": replace(SEEN, outcome="crashed")})
    ledger.record(checkout, [changed], ["case/a.py"])
    assert diff(checkout, "HEAD") == 1
    assert "Outcome of case/a.py on here\n  - raised\n  + crashed\n" in capsys.readouterr().out


def test_another_checkout(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    assert diff(checkout, str(other)) == 1
    ledger.record(other, ledger.load(checkout).values(), ["case/a.py"])
    assert diff(checkout, str(other)) == 0


def test_only_what_ran_in_both(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    ledger.record(other, [ledger.load(checkout)["far"]], ["case/a.py"])
    assert diff(checkout, ".", str(other)) == 1
    assert diff(checkout, "--common", ".", str(other)) == 0


def test_a_name_that_is_nothing(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(checkout, "nothing") == 2
    assert "no stack that ran (known: far, here)" in capsys.readouterr().err


def test_merging_what_was_recorded_elsewhere(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory, good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", "merge", str(checkout), "--root", str(good)]) == 0
    assert "2 runs, 1 files" in capsys.readouterr().out
    assert ledger.load(good)["far"] == ledger.load(checkout)["far"]
    empty = tmp_path_factory.mktemp("empty")
    assert main(["runs", "merge", str(empty), "--root", str(good)]) == 2
    assert "holds no runs" in capsys.readouterr().err


@pytest.fixture
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import shutil

    source = Path(__file__).resolve().parent.parent / "good"
    return shutil.copytree(source, tmp_path_factory.mktemp("good") / "root")
