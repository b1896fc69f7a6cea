"""Each page as Markdown."""

from __future__ import annotations

import re

from sitebuild import Build

from unmeta.kb.load import Catalogue
from unmeta.site.build import generate
from unmeta.site.source import Source


def test_a_page_has_its_text_beside_it(built: Build, catalogue: Catalogue) -> None:
    site = built("online")
    entries = [*catalogue.causes, *catalogue.symptoms, *catalogue.facts]
    for name in [*(f"e/{entry}" for entry in entries), "guide/offload", "guide/index", "operations"]:
        text = (site / f"{name}.md").read_text(encoding="utf-8")
        assert text.startswith("# "), name
        outside = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"</?(?:div|span|p|details)\b|\{ #|\[\[|<!--", outside), name
    head = (site / "e/to-after-dispatch/index.html").read_text(encoding="utf-8").partition("</head>")[0]
    assert '<link rel="markdown alternate" type="text/markdown"' in head
    assert 'href="../to-after-dispatch.md"' in head


def test_links_between_texts_hold(built: Build, catalogue: Catalogue) -> None:
    site = built("online")
    for name in catalogue.symptoms:
        text = (site / f"e/{name}.md").read_text(encoding="utf-8")
        for link in re.findall(r"^\d+\. \[.*\]\(([\w-]+\.md)\)", text, re.MULTILINE):
            assert (site / "e" / link).is_file(), link


def test_a_cause_tells_the_change_the_reason_and_the_trap(source: Source) -> None:
    text = generate(source).twins["e/half-copied.md"]
    order = [
        "# A meta tensor is moved",
        "NotImplementedError: ",
        "## Fix: Build it",
        "``` diff",
        "## Not this: Call",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_the_whole_guide_is_one_text(source: Source) -> None:
    text = generate(source).files["llms-full.txt"]
    for name in ("half-copied", "nothing-to-copy", "copy-raises"):
        assert f"<!-- https://example.org/guide/e/{name}.md -->" in text
    assert "# Guide" in text
