"""A page that leads from what was done to causes, put into the order in which causes are reported."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from unmeta.site.links import each_link

BEGIN, END = "<!-- unmeta: by-reports -->", "<!-- unmeta: end-of-reports -->"
SHOWN = 4
"""Causes of a section that stand in the open; the rest folds below them."""
_SECTION = re.compile(r"(?=^## )", re.MULTILINE)


def by_reports(text: str, counts: Mapping[str, int], causes: Collection[str] = ()) -> str:
    """The page with what stands between the two markers in the order of `counts`, reports by cause.

    A section is a heading and a list; a line of the list counts as much as the causes that it links, and a
    section as much as all of its. What is counted alike keeps its order. `causes` that no line links follow
    in a section of their own. A page without markers stays.
    """
    before, begin, rest = text.partition(BEGIN)
    if not begin:
        return text
    middle, _, after = rest.partition(END)
    lead, *sections = _SECTION.split(middle)
    ranked = sorted(sections, key=lambda section: -_count(section, counts))
    if left := sorted(set(causes) - _linked(middle)):
        ranked.append("\n".join(["## Something else { #else }", "", *(f"- [[{name}]]" for name in left), ""]))
    made = [_section(section, counts) for section in ranked]
    return "".join([before.rstrip(), "\n\n", lead.lstrip(), *made, after.lstrip()])


def _section(section: str, counts: Mapping[str, int]) -> str:
    lines = section.splitlines()
    head = [line for line in lines if not line.startswith("- ")]
    items = sorted((line for line in lines if line.startswith("- ")), key=lambda line: -_count(line, counts))
    told = [f"{item}{_said(_count(item, counts))}" for item in items]
    shown, folded = told[:SHOWN], told[SHOWN:]
    if len(folded) == 1:  # a fold that hides one line is longer than the line
        shown, folded = told, []
    body = "\n".join([line.replace("- ", "1. ", 1) for line in shown])
    more = '\n\n??? um-others "Rarer"\n\n' + "\n".join(f"    {line}" for line in folded) if folded else ""
    return "\n".join(head).strip() + f"\n\n{body}{more}\n\n"


def _count(text: str, counts: Mapping[str, int]) -> int:
    return sum(counts.get(name, 0) for name in _linked(text))


def _linked(text: str) -> set[str]:
    names: set[str] = set()

    def link(match: re.Match[str]) -> str:
        names.add(match["id"])
        return match[0]

    each_link(text, link)
    return names


def _said(count: int) -> str:
    return f' <span class="um-count" title="public reports">{count}</span>' if count else ""
