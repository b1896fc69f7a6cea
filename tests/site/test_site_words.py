from __future__ import annotations

import re
from pathlib import Path

import pytest

from unmeta.kb.model import Needs, Wording
from unmeta.site import words


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ({"torch": ">=2.1"}, "torch ≥ 2.1"),
        ({"torch": ">=2.1,<2.4", "transformers": "==4.57.*"}, "torch ≥ 2.1, < 2.4 and transformers 4.57.x"),
        ({"peft": ">=0.7,!=0.11.*"}, "peft ≥ 0.7, not 0.11.x"),
        (
            {"peft": ">=0.7,!=0.11.*,!=0.12.*,!=0.13.*,!=0.15.*"},
            "peft ≥ 0.7, not 0.11.x to 0.13.x, not 0.15.x",
        ),
        ({}, ""),
    ],
)
def test_version_ranges(ranges: dict[str, str], said: str) -> None:
    assert words.versions(ranges) == said


def test_needs() -> None:
    assert words.needs(Needs()) == ""
    wanted = Needs.model_validate({"peft": ">=0.10", "device": "cuda", "processes": 2})
    assert words.needs(wanted) == "peft ≥ 0.10, a CUDA device, 2 processes"


def test_where_a_wording_is_printed() -> None:
    wording = Wording.model_validate({"text": "x", "since": {"torch": "2.3"}, "until": {"accelerate": "1.0"}})
    assert words.spread(wording) == "since torch 2.3, up to accelerate 1.0"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/a/b/issues/12", "a/b#12"),
        ("https://github.com/a/b/pull/12#issuecomment-1", "a/b#12"),
        ("https://github.com/a/b/blob/v1.0/c/d.py#L3", "b v1.0: d.py"),
        ("https://www.example.org/x/y/", "example.org/y"),
        ("https://example.org", "example.org"),
    ],
)
def test_addresses_are_short(url: str, name: str) -> None:
    assert words.address(url) == name


def test_what_runs_are_made_on_has_one_name(root: Path) -> None:
    """It is a stack; "set of versions" explains the word, in its sentence."""
    pages = [*(root / "docs").rglob("*.md"), *(root / "src" / "unmeta").rglob("*.j2"), root / "README.md"]
    pages += [*(root / "docs" / "assets" / "javascripts").glob("*.js")]
    odd = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(
            r"sets? of (?:library )?versions|environment matrix|All \$\{.*\} columns", text
        ):
            if "stack" not in text[max(0, found.start() - 60) : found.start()].lower():
                odd.append(f"{page.relative_to(root)}: {text[found.start() - 30 : found.end() + 10]!r}")
    assert not odd
