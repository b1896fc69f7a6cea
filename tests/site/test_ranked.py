"""The page of causes by what was done stands in the order of public reports."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from unmeta.kb.load import load
from unmeta.site.ranked import BEGIN, END, SHOWN, by_reports

PAGE = f"""# Title

{BEGIN}

## Seldom {{ #seldom }}

- One: [[a]]

## Often {{ #often }}

- Two: [[b]]
- Three: [[c]] and [[b]]
- Four: [[d]]
- Five: [[e]]
- Six: [[f]]
- Seven: [[g]]

{END}

## Last
"""


def test_sections_and_lines_stand_by_counts() -> None:
    made = by_reports(PAGE, {"a": 1, "b": 2, "c": 5, "g": 9})
    assert re.findall(r"^## (\w+)", made, re.MULTILINE) == ["Often", "Seldom", "Last"]
    assert re.findall(r"(Two|Three|Four|Five|Six|Seven):", made) == [
        "Seven",
        "Three",
        "Two",
        "Four",
        "Five",
        "Six",
    ]
    assert '1. Three: [[c]] and [[b]] <span class="um-count" title="public reports">7</span>' in made
    assert "    - Six: [[f]]\n" in made.partition('??? um-others "Rarer"')[2]
    assert BEGIN not in made
    assert END not in made


def test_a_page_without_markers_stays() -> None:
    assert by_reports("# Title\n\n- [[a]]\n", {"a": 1}) == "# Title\n\n- [[a]]\n"


def test_causes_that_no_line_links_follow_at_the_end() -> None:
    made = by_reports(PAGE, {}, ["a", "new-one", "b"])
    assert "## Something else { #else }\n\n1. [[new-one]]\n" in made
    assert made.index("#else") > made.index("#seldom")
    assert "#else" not in by_reports(PAGE, {}, ["a"])


def test_the_first_causes_of_a_section_are_the_reported_ones(root: Path) -> None:
    catalogue = load(root)
    counts = Counter(report.cause for report in catalogue.reports)
    made = by_reports((root / "docs" / "guide" / "decide.md").read_text(encoding="utf-8"), counts)
    sections = re.split(r"^## ", made, flags=re.MULTILINE)[1:-1]
    for section in sections:
        told = [int(number) for number in re.findall(r'public reports">(\d+)<', section)]
        assert told == sorted(told, reverse=True)
        assert len(re.findall(r"^1\. ", section, re.MULTILINE)) <= SHOWN + 1
