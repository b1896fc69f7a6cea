"""What search engines and other sites read of a page."""

from __future__ import annotations

import html
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict

import pytest
from PIL import Image
from sitebuild import Build

from unmeta.address import SITE
from unmeta.kb.load import Catalogue
from unmeta.site.about import DESCRIPTION, shortened
from unmeta.site.cards import HEIGHT, WIDTH, Card, draw


@pytest.fixture(scope="module")
def heads(built: Build) -> dict[str, str]:
    """The head of every page that has content, by its address below the site."""
    site = built("online")
    found = {}
    for path in sorted(site.rglob("index.html")):
        text = path.read_text(encoding="utf-8")
        if 'http-equiv="refresh"' not in text:
            found[path.parent.relative_to(site).as_posix()] = text.partition("</head>")[0]
    return found


def attribute(head: str, pattern: str) -> str:
    found = re.search(pattern, head)
    return html.unescape(found[1]) if found else ""


def test_every_page_has_a_description_of_its_own(heads: dict[str, str]) -> None:
    by_text = defaultdict(list)
    for name, head in heads.items():
        by_text[attribute(head, r'<meta name="description" content="([^"]*)"')].append(name)
    assert {text: names for text, names in by_text.items() if len(names) > 1} == {}
    assert {text for text in by_text if len(text) < 40} == set()
    assert {text for text in by_text if len(text) > DESCRIPTION + 60} == set()


def test_notebooks_say_that_the_entry_is_the_original(heads: dict[str, str], catalogue: Catalogue) -> None:
    for name in catalogue.causes:
        for page in (f"e/{name}", f"notebooks/{name}"):
            assert attribute(heads[page], r'<link rel="canonical" href="([^"]*)"') == f"{SITE}e/{name}/"


def test_the_card_of_a_page_is_there(heads: dict[str, str], built: Build) -> None:
    for name, head in heads.items():
        if name.startswith("notebooks/"):
            continue
        address = attribute(head, r'<meta property="og:image" content="([^"]*)"')
        assert address.startswith(SITE), name
        with Image.open(built("online") / address.removeprefix(SITE)) as picture:
            assert picture.size == (WIDTH, HEIGHT)
        for wanted in ("og:title", "og:description", "og:url", "og:type", "og:image:alt"):
            assert attribute(head, rf'<meta property="{wanted}" content="([^"]*)"'), f"{name}: {wanted}"


def test_structured_data_says_what_a_page_is(heads: dict[str, str], catalogue: Catalogue) -> None:
    kinds = {}
    for name, head in heads.items():
        found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', head)
        data = [json.loads(text) for text in found]
        assert all(item["@context"] == "https://schema.org" for item in data)
        kinds[name] = [item["@type"] for item in data]
    assert kinds["."] == ["WebSite"]
    assert kinds["e/no-data-to-copy"] == ["FAQPage"]
    assert {tuple(kinds[f"e/{name}"]) for name in catalogue.causes} == {("TechArticle",)}


def test_robots_are_led_to_the_map_of_what_is_original(built: Build, catalogue: Catalogue) -> None:
    site = built("online")
    assert f"Sitemap: {SITE}sitemap.xml" in (site / "robots.txt").read_text(encoding="utf-8")
    places = {
        node.text for node in ElementTree.parse(site / "sitemap.xml").iter() if node.tag.endswith("}loc")
    }
    assert {f"{SITE}e/{name}/" for name in catalogue.causes} < places
    assert [place for place in places if place and "/notebooks/" in place] == [f"{SITE}notebooks/"]
    aliases = [alias for cause in catalogue.causes.values() for alias in cause.aliases]
    assert not places & {f"{SITE}e/{alias}/" for alias in aliases}


@pytest.mark.parametrize(
    ("text", "length", "left"),
    [
        ("Short.", 20, "Short."),
        ("One sentence here. And another one.", 22, "One sentence here."),
        ("One very long sentence, without an end", 28, "One very long sentence …"),
    ],
)
def test_a_description_ends_with_a_word(text: str, length: int, left: str) -> None:
    assert shortened(text, length) == left


ANY = ("x", "no data! " * 60, "a/very/long/path" * 20, "", "日本 ∅", "\x00\x1b[2J\u202e\ufffe")


@pytest.mark.parametrize("text", ANY)
def test_any_text_fits_on_a_card(text: str) -> None:
    with Image.open(io.BytesIO(draw(Card("above " * 40, text, printed=True)))) as picture:
        assert picture.size == (WIDTH, HEIGHT)


def test_a_card_is_named_by_what_it_says() -> None:
    assert Card("a", "b").digest == Card("a", "b").digest != Card("a", "b", printed=True).digest
