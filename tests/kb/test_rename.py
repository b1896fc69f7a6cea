"""Renaming an entry keeps its address, its links, its snippets and its runs."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.cli import main
from unmeta.kb.load import Catalogue, load
from unmeta.kb.rename import RenameError, plan
from unmeta.kb.runs import Observation, Runs
from unmeta.kb.snippets import Role
from unmeta.verify import ledger
from unmeta.verify.checks import all_findings

GOOD = Path(__file__).resolve().parent.parent / "good"
REPORT = '{"source": "a/b#1", "printed": "x", "context": "\\"half-copied\\"", "cause": "half-copied"}\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The good catalogue with runs of every script, a report, a page, and a link from every kind of entry."""
    root = shutil.copytree(GOOD, tmp_path / "root")
    (root / "docs").mkdir(exist_ok=True)
    (root / "docs/index.md").write_text(
        "[[half-copied]], [[copy-raises|so]]\n\n<!-- unmeta: paste-box half-copied -->\n"
    )
    (root / "kb/reports.jsonl").write_text(REPORT)
    catalogue = load(root)
    seen = {
        key: Observation(snippet.digest, "passed", True, date="2026-01-01")
        for key, snippet in catalogue.snippets.items()
    }
    stack = catalogue.reference
    ledger.record(root, [Runs(stack.id, "cpu", stack.versions, seen)], ledger.known(catalogue))
    return root


def rename(root: Path, old: str, new: str) -> int:
    return main(["rename", old, new, "--root", str(root)])


def recorded(root: Path) -> set[str]:
    return {key for runs in ledger.load(root).values() for key in runs.snippets}


def whole(catalogue: Catalogue) -> set[str]:
    return {case.key for case in catalogue.cases()}


def test_a_cause(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {finding.rule for finding in all_findings(root)}
    assert rename(root, "half-copied", "left-behind") == 0
    catalogue = load(root)
    cause = catalogue.causes["left-behind"]
    assert cause.aliases == ["old-name", "half-copied"]
    assert recorded(root) == whole(catalogue)
    assert {finding.rule for finding in all_findings(root)} == before
    assert catalogue.reports[0].cause == "left-behind"
    assert catalogue.reports[0].context == '"half-copied"'
    assert "[[left-behind]]" in (root / "docs/index.md").read_text()
    assert "paste-box left-behind -->" in (root / "docs/index.md").read_text()
    assert not list(root.rglob("half-copied*"))
    assert "kb/causes/half-copied.yaml → kb/causes/left-behind.yaml" in capsys.readouterr().out


def test_runs_of_faces_and_programs_move_along(root: Path) -> None:
    catalogue = load(root)
    one = Observation("0" * 12, "passed", True, date="2026-01-01")
    keys = {"half-copied/broken-x.py", "programs/half-copied/chat", "programs/half-copied/chat/repaired"}
    stack = catalogue.reference
    runs = Runs(stack.id, "cpu", stack.versions, dict.fromkeys(keys, one))
    ledger.record(root, [runs], ledger.known(catalogue) | keys)
    assert keys <= recorded(root)
    assert rename(root, "half-copied", "left-behind") == 0
    assert {key.replace("half-copied", "left-behind") for key in keys} <= recorded(root)
    assert not keys & recorded(root)


def test_a_symptom(root: Path) -> None:
    assert rename(root, "nothing-to-copy", "no-bytes") == 0
    catalogue = load(root)
    assert catalogue.symptoms["no-bytes"].aliases == ["nothing-to-copy"]
    assert [shown.id for shown in catalogue.causes["half-copied"].symptoms] == ["no-bytes"]


def test_a_fact(root: Path) -> None:
    assert rename(root, "copy-raises", "copying-fails") == 0
    catalogue = load(root)
    assert catalogue.facts["copying-fails"].aliases == ["copy-raises"]
    assert "[[copying-fails]]" in catalogue.causes["half-copied"].cause
    assert "[[copying-fails|so]]" in (root / "docs/index.md").read_text()
    assert recorded(root) == whole(catalogue)


def test_ids_of_fixes_and_words_of_prose_stay() -> None:
    good = load(GOOD)
    text = (GOOD / "kb/causes/half-copied.yaml").read_text()
    named = text.replace("id: build-for-real", "id: copy-raises").replace(
        "bytes to copy", "bytes copy-raises"
    )
    cause = good.causes["half-copied"]
    fix = cause.fixes[0].model_copy(update={"id": "copy-raises"})
    changed = cause.model_copy(update={"fixes": [fix], "related": []})
    catalogue = replace(good, causes={"half-copied": changed})
    found = plan(catalogue, "copy-raises", "new", {"kb/causes/half-copied.yaml": named})
    after = found.texts["kb/causes/half-copied.yaml"]
    assert after == named.replace("[[copy-raises]]", "[[new]]")


@pytest.mark.parametrize(
    ("aliases", "after"),
    [
        ("", "title: x\naliases: [old]\n"),
        ("aliases: []\n", "title: x\naliases: [old]\n"),
        ("aliases: [one]\n", "title: x\naliases: [one, old]\n"),
        ("aliases:\n  - one\n", "title: x\naliases:\n  - old\n  - one\n"),
    ],
)
def test_the_former_id_is_kept_however_others_are_written(aliases: str, after: str) -> None:
    good = load(GOOD)
    catalogue = replace(good, symptoms={"old": good.symptoms["nothing-to-copy"]})
    path = "kb/symptoms/old.yaml"
    assert plan(catalogue, "old", "new", {path: f"title: x\n{aliases}"}).texts[path] == after


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("half-copied", "copy-raises", "'copy-raises' already names the fact copy-raises"),
        ("half-copied", "Half", "is not an id"),
        ("half-copie", "x", "no entry is called 'half-copie'; did you mean 'half-copied'?"),
        ("old-name", "x", "no entry is called 'old-name'; it is called 'half-copied' now"),
    ],
)
def test_what_cannot_be(
    root: Path, old: str, new: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rename(root, old, new) == 2
    assert told in capsys.readouterr().err
    assert (root / "kb/causes/half-copied.yaml").exists()


def test_there_and_back(root: Path) -> None:
    before = {path: path.read_text() for path in root.rglob("*.*") if path.is_file()}
    assert rename(root, "half-copied", "other") == 0
    assert rename(root, "other", "half-copied") == 0
    text = (root / "kb/causes/half-copied.yaml").read_text()
    assert "aliases: [old-name, other]" in text
    after = {path: path.read_text() for path in root.rglob("*.*") if path.is_file()}
    assert [path.name for path in before if before[path] != after[path]] == ["half-copied.yaml"]


def test_nothing_is_overwritten(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "snippets/left-behind").mkdir()
    before = (root / "kb/causes/half-copied.yaml").read_text()
    assert rename(root, "half-copied", "left-behind") == 2
    assert "exists already; nothing was changed" in capsys.readouterr().err
    assert (root / "kb/causes/half-copied.yaml").read_text() == before


def test_no_entry_no_plan() -> None:
    with pytest.raises(RenameError, match="no entry is called 'x'"):
        plan(load(GOOD), "x", "y", {})


def test_every_role_of_the_good_catalogue_is_tried(root: Path) -> None:
    assert {case.role for case in load(root).cases()} >= {Role.BROKEN, Role.FIX, Role.TRAP, Role.FACT}
