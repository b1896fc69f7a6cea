"""The loader's findings name the line and the remedy a contributor needs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from unmeta.kb.load import CatalogueError, load

GOOD = Path(__file__).resolve().parent.parent / "good"
CAUSE = "kb/causes/half-copied.yaml"


def finding(tmp_path: Path, old: str, new: str) -> str:
    root = shutil.copytree(GOOD, tmp_path / "kb")
    text = (root / CAUSE).read_text()
    assert old in text
    (root / CAUSE).write_text(text.replace(old, new, 1))
    with pytest.raises(CatalogueError) as error:
        load(root)
    return str(error.value)


def test_the_nearest_known_key_is_named(tmp_path: Path) -> None:
    text = finding(tmp_path, "summary:", "summry:")
    assert f"{CAUSE}:3: unknown-key" in text
    assert "did you mean 'summary'?" in text


def test_the_nearest_key_of_a_nested_model_is_named(tmp_path: Path) -> None:
    text = finding(tmp_path, "    why: Then", "    wy: Then")
    assert f"{CAUSE}:15: unknown-key: unknown key 'fixes.0.wy'" in text
    assert "did you mean 'why'?" in text


def test_a_wrong_value_names_its_line(tmp_path: Path) -> None:
    assert f"{CAUSE}:6: bad-value: symptoms.0.tells" in finding(tmp_path, "tells: with", "tells: maybe")


def test_a_version_stays_as_written(tmp_path: Path) -> None:
    root = shutil.copytree(GOOD, tmp_path / "kb")
    path = root / "kb/symptoms/nothing-to-copy.yaml"
    path.write_text(
        path.read_text().replace(
            "  bare: Cannot copy out of meta tensor; no data!",
            "  bare: {text: Cannot copy out of meta tensor; no data!, since: {torch: 2.10}}",
        )
    )
    assert load(root).symptoms["nothing-to-copy"].messages["bare"].since == {"torch": "2.10"}


def test_findings_are_lines_a_terminal_can_open(tmp_path: Path) -> None:
    text = finding(tmp_path, "area: torch", "area: torch\narea: peft")
    assert text.splitlines()[0] == f"{CAUSE}:3: duplicate-key: 'area' stands twice"
    assert text.splitlines()[1].strip().startswith("→")
