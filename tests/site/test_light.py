"""How much a page is: elements and words of every entry, whatever else is measured by benchmarks/site."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser

from sitebuild import Build

from unmeta.kb.load import Catalogue

ELEMENTS, WORDS, BYTES = 1500, 700, 30_000


class Shown(HTMLParser):
    """Counts elements, and the words of the article that stand outside folds."""

    def __init__(self) -> None:
        super().__init__()
        self.elements = 0
        self.words = 0
        self.folds = 0
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.elements += 1
        self.inside |= tag == "article"
        self.folds += tag == "details"

    def handle_endtag(self, tag: str) -> None:
        self.inside &= tag != "article"
        self.folds -= tag == "details"

    def handle_data(self, data: str) -> None:
        if self.inside and not self.folds:
            self.words += len(data.split())


def test_every_entry_is_light(built: Build, catalogue: Catalogue) -> None:
    site = built("online")
    heavy = []
    for name in (*catalogue.causes, *catalogue.symptoms, *catalogue.facts):
        text = (site / "e" / name / "index.html").read_text(encoding="utf-8")
        page = Shown()
        page.feed(text)
        size = len(gzip.compress(text.encode(), 6))
        wordy = name in catalogue.causes and page.words > WORDS  # a message may be long itself
        if page.elements > ELEMENTS or wordy or size > BYTES:
            heavy.append(f"{name}: {page.elements} elements, {page.words} words shown, {size} bytes")
    assert not heavy


def test_every_other_page_has_few_elements(built: Build) -> None:
    site = built("online")
    heavy = []
    for path in sorted(site.rglob("index.html")):
        page = Shown()
        page.feed(path.read_text(encoding="utf-8"))
        if page.elements > ELEMENTS:
            heavy.append(f"{path.relative_to(site)}: {page.elements} elements")
    assert not heavy


def test_code_is_marked_up_where_a_colour_tells_something(built: Build) -> None:
    page = (built("online") / "e" / "to-after-dispatch" / "index.html").read_text(encoding="utf-8")
    assert not re.search(r'<span class="(?:n|o|p|w)">', page)
    assert '<span class="k' in page
