"""Mistakes of contributors, and what they are told to write instead."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from unmeta.kb.findings import Finding
from unmeta.kb.load import CatalogueError, load
from unmeta.verify.checks import findings_of

GOOD = Path(__file__).resolve().parent.parent / "good"
CAUSE = "kb/causes/half-copied.yaml"


@pytest.fixture
def findings(tmp_path: Path) -> Callable[[str, str, str], list[Finding]]:
    """What is found where a text of a file stands otherwise; an empty one is where it is appended."""

    def found(path: str, old: str, new: str) -> list[Finding]:
        root = shutil.copytree(GOOD, tmp_path / "root")
        text = (root / path).read_text()
        assert old in text
        (root / path).write_text(text.replace(old, new, 1) if old else text + new)
        try:
            return findings_of(load(root))
        except CatalogueError as error:
            return error.findings

    return found


@pytest.mark.parametrize(
    ("old", "new", "line", "message", "remedy"),
    [
        ("", "applies: torch>=2.1\n", 22, "applies: is a mapping", 'write `applies: {torch: ">=2.1"}`'),
        ("", "needs: [peft]\n", 22, "needs: is a mapping", 'write `needs: {torch: ">=2.1"}`'),
        ("", "needs: {gpu: true}\n", 22, "'gpu' is no package: a GPU is asked for by `device: cuda`", ""),
        ("area: torch", "area: Accelerate", 2, "'Accelerate' is not one of", "did you mean 'accelerate'?"),
        ("ends: wrong-result", "ends: wrong result", 20, "'wrong result' is not an id", "'wrong-result'?"),
        ("ends: wrong-result", "ends: 5th", 20, "'5th' is not an id", "begin it with a letter"),
        (
            "title: A meta tensor is moved",
            "title: " + "x" * 301,
            1,
            "301 characters, at most 300",
            "shorten it",
        ),
        ("", 'reports: ["http://x"]\n', 22, "'http://x' is not an address", "https://"),
        ("", "related: [old-name]\n", 22, "no other cause 'old-name'", "it is called 'half-copied' now"),
        ("- ask: Was", "- asks: Was", 9, "unknown key", "did you mean 'ask'?"),
    ],
)
def test_a_value_that_is_none(
    findings: Callable[[str, str, str], list[Finding]],
    old: str, new: str, line: int, message: str, remedy: str,
) -> None:  # fmt: skip
    (found,) = findings(CAUSE, old, new)
    assert (found.path, found.line) == (CAUSE, line)
    assert message in found.message
    assert remedy in found.remedy


def test_somebodys_folder_in_a_snippet(findings: Callable[[str, str, str], list[Finding]]) -> None:
    path = "snippets/half-copied/broken.py"
    found = findings(path, "import torch\n", 'import torch\n\npath = "/home/joe/models"\n')
    assert ("home-folder", path, 5) in {(item.rule, item.path, item.line) for item in found}


def found_in(root: Path) -> list[tuple[str, str, int]]:
    return [(item.rule, item.path, item.line) for item in findings_of(load(root))]


def test_a_missing_snippet_is_found_at_its_claim(tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "root")
    (root / "snippets/half-copied/trap-to-empty.py").unlink()
    assert found_in(root) == [("missing-snippet", CAUSE, 17)]


def test_an_entry_renamed_alone_is_told_where_its_snippets_are(tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "root")
    (root / CAUSE).rename(root / "kb/causes/renamed.yaml")
    found = [item for item in findings_of(load(root)) if "snippet" in item.rule]
    assert [(item.rule, item.path) for item in found] == [
        ("missing-snippet", "kb/causes/renamed.yaml"),
        ("unclaimed-snippet", "snippets/half-copied/broken.py"),
    ]
    assert found[0].remedy.startswith("move snippets/half-copied there; `unmeta rename OLD NEW`")


@pytest.mark.parametrize(
    ("name", "remedy"), [("123", "begins with a letter"), ("Half Copied", "half-copied.yaml")]
)
def test_a_file_whose_name_is_no_id(tmp_path: Path, name: str, remedy: str) -> None:
    root = shutil.copytree(GOOD, tmp_path / "root")
    (root / CAUSE).rename(root / f"kb/causes/{name}.yaml")
    with pytest.raises(CatalogueError) as caught:
        load(root)
    assert remedy in caught.value.findings[0].remedy
