"""Text stays text: every payload in every place that text comes from, in every kind of page."""

from __future__ import annotations

import html
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from hostile import KINDS
from sitebuild import Build

from unmeta.site import safe
from unmeta.terminal import STEERING

ALLOWED = {"", "https"}
THEME_SCRIPTS = re.compile(r"javascripts/|search/search_index\.js")


class Reader(HTMLParser):
    """What of a page could run or load, with its place."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.inline = 0
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        place = f"line {self.getpos()[0]}: {self.get_starttag_text()}"[:200]
        if any(name.startswith("on") or name in ("srcdoc", "formaction", "style") for name in given):
            self.wrong.append(place)
        for name in ("href", "src", "action", "data", "xlink:href"):
            address = re.sub(r"[\t\r\n]", "", given.get(name, "")).strip("\0\1 ")  # as browsers do
            scheme = re.match(r"([a-z][a-z0-9+.-]*):", address, re.IGNORECASE)
            if (scheme[1].lower() if scheme else "") not in ALLOWED:
                self.wrong.append(place)
        if tag == "script":
            if "src" in given and not THEME_SCRIPTS.search(given["src"]):
                self.wrong.append(place)
            self.inline += "src" not in given and "json" not in given.get("type", "")
        refresh = tag == "meta" and given.get("http-equiv", "").lower() == "refresh"
        if tag in ("iframe", "object", "embed", "base", "math", "style", "noscript") or refresh:
            self.wrong.append(place)
        named = given.get("id", "").startswith(("__", "unmeta-"))
        if named and tag not in ("script", "input", "label", "div"):
            self.wrong.append(place)


@pytest.fixture(scope="session")
def hostile(built: Build) -> Path:
    return built("hostile")


def pages(site: Path) -> Iterator[Path]:
    """All that have content; a former id has none."""
    return (path for path in sorted(site.rglob("*.html")) if path.parent.name != "old-name")


def test_the_payloads_stand_in_many_places(hostile: Path) -> None:
    assert int((hostile / "places.json").read_text()) > 174


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_runs_or_loads_wherever_a_payload_stands(hostile: Path, kind: str) -> None:
    name = f"evil-{kind}"
    for page in (f"e/{name}", f"e/{name}-symptom", f"e/{name}-fact", f"notebooks/{name}"):
        reader = Reader()
        reader.feed((hostile / page / "index.html").read_text(encoding="utf-8"))
        assert not reader.wrong, f"{page}: {reader.wrong[:3]}"
        assert reader.inline == 3, page  # the theme's


def test_lists_and_hand_written_pages_are_harmless_too(hostile: Path) -> None:
    for path in pages(hostile):
        reader = Reader()
        reader.feed(path.read_text(encoding="utf-8"))
        assert not reader.wrong, f"{path.relative_to(hostile)}: {reader.wrong[:3]}"
        assert reader.inline == 3, path


def test_what_is_text_can_still_be_read(hostile: Path) -> None:
    for kind in ("script", "handler", "frame", "page"):
        text = (hostile / f"e/evil-{kind}" / "index.html").read_text(encoding="utf-8")
        assert KINDS[kind][:8] in html.unescape(re.sub(r"<[^>]*>", "", text)), kind


def test_every_page_says_which_scripts_may_run(hostile: Path) -> None:
    for path in pages(hostile):
        text = path.read_text(encoding="utf-8")
        policy = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
        assert len(policy) == 1, path
        assert "unsafe-" not in policy[0]
        assert policy[0].count("sha256-") == 3
        assert text.index("Content-Security-Policy") < text.index("<script")


def test_feeds_are_well_formed_and_plain(hostile: Path) -> None:
    for name in ("feed.xml", "sitemap.xml"):
        text = (hostile / name).read_text(encoding="utf-8")
        ElementTree.fromstring(text)
        assert not STEERING.search(text.replace("\n", ""))
    name = {"a": "http://www.w3.org/2005/Atom"}
    feed = ElementTree.parse(hostile / "feed.xml")
    assert {len(item) for item in feed.iterfind(".//a:title", name)} == {0}
    listed = (hostile / "llms.txt").read_text(encoding="utf-8")
    assert not STEERING.search(listed.replace("\n", ""))


def test_what_machines_read_parses(hostile: Path) -> None:
    for path in [*hostile.glob("*.json"), *hostile.glob("e/*.json"), hostile / "search/search_index.json"]:
        json.loads(path.read_text(encoding="utf-8"))
    for path in hostile.glob("files/*.ipynb"):
        notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
        nbformat.validate(notebook)


@pytest.mark.parametrize("name", ["unmeta-index.js", "unmeta-search.js"])
def test_an_index_cannot_end_its_script(hostile: Path, name: str) -> None:
    text = (hostile / "assets" / name).read_text(encoding="utf-8")
    assert "</" not in text
    assert "\u2028" not in text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<p onclick=x>a</p>", "<p>a</p>"),
        ("<script>x</script><style>x</style><!-- x -->a", "a"),
        ('<a href="javascript:x">a</a>', "<a>a</a>"),
        ('<a href="http://x.org/">a</a>', "<a>a</a>"),
        ('<a href="../x/#y" rel="z">a</a>', '<a href="../x/#y" rel="z">a</a>'),
        ('<a href="https://x.org/?a=1&amp;b">a</a>', '<a href="https://x.org/?a=1&amp;b">a</a>'),
        ('<img src="https://x.org/y.png" alt="z">', '<img alt="z">'),
        ('<img src="//x.org/y.png" alt="z">', '<img alt="z">'),
        ('<img src="data:image/svg+xml,x" alt="z">', '<img alt="z">'),
        ('<img src="../assets/a.svg" alt="z">', '<img src="../assets/a.svg" alt="z">'),
        ('<p id="__config">a</p>', "<p>a</p>"),
        ('<p id="unmeta-site">a</p>', "<p>a</p>"),
        ('<h2 id="fix-1">a</h2>', '<h2 id="fix-1">a</h2>'),
        ('<td align="center" style="x">a</td>', "a"),
        (
            '<div data-example="a&quot;b" data-md-component="search">a</div>',
            '<div data-example="a&quot;b">a</div>',
        ),
        ("<form><input name=x><button>a</button></form>", "a"),
    ],
)
def test_content_keeps_what_pages_need(text: str, left: str) -> None:
    assert safe.content(text) == left
    assert safe.content(left) == left


def test_titles_are_text_however_they_were_written() -> None:
    assert safe.attribute("<b>a</b> &lt;b&gt; \"c\" 'd'") == "a &lt;b&gt; &quot;c&quot; 'd'"
    assert safe.toc_title("<code>a</code><img src=x onerror=y> &lt;b&gt;") == "<code>a</code> &lt;b&gt;"


def test_a_former_id_leads_on_and_runs_nothing(hostile: Path) -> None:
    text = (hostile / "e/old-name/index.html").read_text(encoding="utf-8")
    assert 'content="0; url=../half-copied/"' in text
    assert "script-src 'self';" in text
    assert "<script" not in text


HEAD = '<head><meta charset="utf-8">'


def test_a_policy_lets_only_scripts_of_the_theme_run() -> None:
    theme = {safe.known('var a=new URL("..",location)')}
    page = f'{HEAD}<script>var a=new URL("../..",location)</script><script src="x.js"></script>'
    assert page.replace(HEAD, "") in safe.guarded(page, theme)
    for evil in ("<script>b</script>", '<script type="module">b</script>', "<SCRIPT>\nb</SCRIPT>"):
        with pytest.raises(safe.UnsafeError, match="none of the theme's: 'b'"):
            safe.guarded(page + evil, theme)
    with pytest.raises(safe.UnsafeError, match="charset"):
        safe.guarded("<p>", theme)


def test_a_place_is_all_that_may_differ_in_a_script() -> None:
    theme = {safe.known('a=new URL("..",location)')}
    for place in ('"+evil()+"', '",evil(),"', "\\x22", "<x"):
        with pytest.raises(safe.UnsafeError):
            safe.guarded(f'{HEAD}<script>a=new URL("{place}",location)</script>', theme)
