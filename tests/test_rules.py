"""One tiny bad catalogue a rule: `tests/bad/<rule>/` is laid over `tests/good/` and must be found out.

A file in the overlay replaces or adds; an empty one deletes. The rule's finding must name the file
that the overlay touches (or misses) and say what to do.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from unmeta.kb.findings import RULES, Finding
from unmeta.kb.load import CatalogueError, load
from unmeta.verify.checks import findings_of as check_all

HERE = Path(__file__).resolve().parent
GOOD, BAD = HERE / "good", HERE / "bad"
# Bytes that are not text, a missing folder, links, size and runs need more than an overlay of text files.
MADE_IN_CODE = {"tells-nothing", "no-catalogue", "no-stacks", "unreadable", "too-large", "not-a-file"}
OF_RUNS = {
    "stale-run",
    "run-contradicts",
    "wording-never-seen",
    "needless-noise",
    "unbracketed-bound",
    "bad-runs",
    "ranks-another",
    "unseen-function",
    "large-runs",
    "orphan-runs",
    "moved-stack",
}  # tests/test_proof_rules.py
CASES = sorted(path.name for path in BAD.iterdir() if path.is_dir())


def findings_of(root: Path) -> list[Finding]:
    try:
        return check_all(load(root))
    except CatalogueError as error:
        return error.findings


def overlaid(rule: str, target: Path) -> Path:
    shutil.copytree(GOOD, target)
    for path in (BAD / rule).rglob("*"):
        if path.is_file():
            copy = target / path.relative_to(BAD / rule)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.stat().st_size:
                shutil.copy(path, copy)
            else:
                copy.unlink()
    return target


def test_the_good_catalogue_is_clean() -> None:
    assert findings_of(GOOD) == []


@pytest.mark.parametrize("rule", CASES)
def test_a_bad_catalogue_is_found_out(rule: str, tmp_path: Path) -> None:
    findings = findings_of(overlaid(rule, tmp_path / "kb"))
    hits = [finding for finding in findings if finding.rule == rule]
    assert hits, f"no {rule} among {[str(f) for f in findings]}"
    for finding in hits:
        assert finding.remedy
        assert finding.line >= 1
        assert f"{finding.path}:{finding.line}: {rule}: " in str(finding)


def test_every_rule_has_its_bad_catalogue() -> None:
    assert set(CASES) == set(RULES) - MADE_IN_CODE - OF_RUNS


def test_a_finding_of_an_unnamed_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="not in unmeta"):
        Finding("kb/x.yaml", 1, "no-such-rule", "what", "remedy")


def test_a_folder_without_a_catalogue(tmp_path: Path) -> None:
    assert [finding.rule for finding in findings_of(tmp_path)] == ["no-catalogue"]


def test_a_catalogue_without_stacks(tmp_path: Path) -> None:
    root = overlaid("tab", tmp_path / "kb")
    (root / "kb" / "stacks.toml").unlink()
    assert "no-stacks" in [finding.rule for finding in findings_of(root)]


@pytest.mark.parametrize("name", ["kb/causes/half-copied.yaml", "snippets/half-copied/broken.py"])
def test_bytes_that_are_not_text(name: str, tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "kb")
    (root / name).write_bytes(b"title: \xff\xfe\x00")
    assert ("unreadable", name) in [(finding.rule, finding.path) for finding in findings_of(root)]


def test_a_huge_entry(tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "kb")
    (root / "kb/causes/half-copied.yaml").write_text("title: " + "x" * 300_000)
    assert "too-large" in [finding.rule for finding in findings_of(root)]


def test_all_files_are_read_before_giving_up(tmp_path: Path) -> None:
    root = overlaid("unknown-key", tmp_path / "kb")
    (root / "kb/facts/copy-raises.yaml").write_text("\tx: 1")
    assert {finding.rule for finding in findings_of(root)} >= {"unknown-key", "tab"}


def test_a_face_that_no_stack_can_run_says_why_instead_of_a_fix(tmp_path: Path) -> None:
    root = overlaid("face-without-fix", tmp_path / "kb")
    entry = root / "kb" / "causes" / "half-copied.yaml"
    entry.write_text(
        entry.read_text(encoding="utf-8").rstrip() + "\n    unproved: No stack has that torch.\n"
    )
    assert "face-without-fix" not in {finding.rule for finding in findings_of(root)}
