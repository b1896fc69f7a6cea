"""What a change of entries does to the answers of others."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from unmeta.cli import main
from unmeta.cli.effect import left_main, searched_differs
from unmeta.kb.load import load
from unmeta.kb.model import PublicReport
from unmeta.verify.effect import answers, changed, matcher, told

GOOD = Path(__file__).resolve().parent.parent / "good"
MESSAGE = "NotImplementedError: Cannot copy out of meta tensor; no data!"


def report(number: int, cause: str = "half-copied", *also: str) -> PublicReport:
    return PublicReport(source=f"a/b#{number}", printed=MESSAGE, context="x", cause=cause, also=list(also))


REPORTS = [report(1), report(2, "other-cause"), report(3, "third", "other-cause"), report(4, "third")]


def test_what_became_wrong_comes_first() -> None:
    before = ["half-copied", "half-copied", "x", "x"]
    rows = changed(REPORTS, before, ["other-cause", "other-cause", "other-cause", "y"])
    assert [(row.line, row.kind) for row in rows] == [(1, "wrong"), (4, "other"), (2, "right"), (3, "right")]
    lines = list(told(rows, 4))
    assert lines[0] == "your entries change 4 of 4 answers to reports: 2 are right now, 1 wrong now"
    assert lines[1] == "  NOW WRONG  a/b#1 (line 1, half-copied): half-copied → other-cause"
    assert len(lines) == 5
    assert len(list(told(rows, 4, short=True))) == 2


def test_no_change() -> None:
    assert changed(REPORTS, ["x"] * 4, ["x"] * 4) == []
    assert list(told([], 4)) == ["your entries change none of the answers to 4 reports"]


def test_answers_are_those_of_the_matcher() -> None:
    found = matcher(load(GOOD), GOOD)
    assert answers(found, [report(1)]) == ["half-copied"]
    assert answers(found, [PublicReport(source="a/b#9", told="hello", context="", cause="other")]) == [
        "no answer"
    ]


# the command


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The good catalogue with a report, committed on main."""
    root = shutil.copytree(GOOD, tmp_path / "root")
    (root / "kb/reports.jsonl").write_text(report(1).model_dump_json() + "\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    git(root, "checkout", "-qb", "mine")
    return root


def git(root: Path, *words: str) -> None:
    own = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *own, *words], check=True)


def effect(root: Path, *words: str) -> int:
    return main(["effect", *words, "--root", str(root)])


def test_an_entry_that_takes_a_report_from_another(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = left_main(checkout)
    assert base is not None
    assert not searched_differs(checkout, base)
    assert effect(checkout) == 0
    path = checkout / "kb/causes/half-copied.yaml"
    text = path.read_text().replace("aliases: [old-name]\n", "")
    (checkout / "snippets/half-copied").rename(checkout / "snippets/taker")
    path.unlink()
    (path.parent / "taker.yaml").write_text(text)
    (checkout / "kb/reports.jsonl").write_text(report(1, "other").model_dump_json() + "\n")
    assert searched_differs(checkout, base)
    capsys.readouterr()
    assert effect(checkout) == 0
    assert "changed  a/b#1 (line 1, other): half-copied → taker" in capsys.readouterr().out


def test_a_commit_that_is_none(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert effect(checkout, "nothing") == 2
    assert "no commit to compare with: 'nothing'" in capsys.readouterr().err


def test_without_git_there_is_nothing_to_compare_with(tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "root")
    assert left_main(root) is None
    assert effect(root) == 2
