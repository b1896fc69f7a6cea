"""Entries as they are shown: compiled once, read one at a time, compiled anew after a change."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest

from unmeta.kb import entries
from unmeta.kb.load import CatalogueError
from unmeta.match.likely import entries_of

GOOD = Path(__file__).resolve().parent.parent / "good"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = shutil.copytree(GOOD, tmp_path / "root")
    monkeypatch.setattr(entries, "checkout", lambda: str(root))
    monkeypatch.setattr(entries, "PACKAGED", str(tmp_path / "entries.jsonl"))
    return root


def change(root: Path, old: str, new: str) -> None:
    path = root / "kb/causes/half-copied.yaml"
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1))


def test_every_entry_is_read_as_it_was_written() -> None:
    data = entries_of(GOOD)
    raw = entries.to_lines(data).encode()
    compiled = entries.Entries(lambda: io.BytesIO(raw))
    for kind in data.values():
        for entry in kind:
            for name in (entry["id"], *entry["aliases"]):
                assert compiled[name] == entry
    assert set(compiled) == {
        name for kind in data.values() for entry in kind for name in (entry["id"], *entry["aliases"])
    }


def test_a_former_id_never_hides_an_entry() -> None:
    data = {
        "facts": [{"id": "one", "aliases": []}],
        "symptoms": [],
        "causes": [{"id": "two", "aliases": ["old"]}],
    }
    raw = entries.to_lines(data).encode()
    assert entries.Entries(lambda: io.BytesIO(raw))["old"]["id"] == "two"


def test_a_checkout_compiles_once_and_again_after_a_change(checkout: Path) -> None:
    first = entries.load(entries_of)["half-copied"]["title"]
    written = Path(entries.PACKAGED).stat().st_mtime_ns
    assert entries.load(entries_of)["half-copied"]["title"] == first
    assert Path(entries.PACKAGED).stat().st_mtime_ns == written
    change(checkout, f"title: {first}", "title: Another title")
    assert entries.load(entries_of)["half-copied"]["title"] == "Another title"


def test_a_broken_entry_leaves_the_last_ones_in_service_and_says_so(checkout: Path) -> None:
    entries.load(entries_of)
    change(checkout, "area: torch", "area: nowhere")
    found = entries.load(entries_of)
    assert found["half-copied"]["area"] == "torch"
    assert "kb/causes/half-copied.yaml" in found.outdated


def test_a_broken_entry_that_was_never_whole_is_told(checkout: Path) -> None:
    change(checkout, "area: torch", "area: nowhere")
    with pytest.raises(CatalogueError):
        entries.load(entries_of)


def test_a_folder_that_cannot_be_written_to_serves_all_the_same(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "PACKAGED", str(tmp_path / "nowhere" / "entries.jsonl"))
    assert entries.load(entries_of)["half-copied"]["id"] == "half-copied"
    assert checkout.is_dir()


@pytest.mark.parametrize("text", ["", "[]\n", "{}\n", '{"at": 5}\n', "not JSON\n", "\x00"])
def test_a_damaged_file_is_compiled_anew(checkout: Path, text: str) -> None:
    assert checkout.is_dir()
    Path(entries.PACKAGED).write_text(text)
    assert "half-copied" in entries.load(entries_of)


def test_a_wheel_without_its_entries_says_what_to_do(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checkout.is_dir()
    monkeypatch.setattr(entries, "checkout", lambda: None)
    with pytest.raises(FileNotFoundError, match="reinstall"):
        entries.load(entries_of)
