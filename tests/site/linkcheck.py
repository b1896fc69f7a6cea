"""Check a built site: every internal link and anchor leads somewhere, and nothing is loaded from elsewhere.

MkDocs validates links of Markdown only; this reads the HTML that is served. Standard library.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

LOADS = {
    ("script", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("iframe", "src"),
    ("source", "src"),
    ("video", "src"),
    ("audio", "src"),
    ("embed", "src"),
    ("object", "data"),
}
LINKS_THAT_LOAD = {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "manifest", "preconnect"}
CSS_URL = re.compile(r"""(?:url\(\s*['"]?|@import\s+['"])([^'")\s]+)""")


@dataclass
class _Page(HTMLParser):
    """Ids, links and loads of one page."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if name := values.get("id"):
            if name in self.ids:
                self.twice.append(name)
            self.ids.add(name)
        if tag == "a" and "name" in values:
            self.ids.add(values["name"])
        if tag == "meta" and values.get("http-equiv") == "refresh":
            self.links.append(values["content"].partition("url=")[2])
        if tag in ("a", "area") and "href" in values:
            self.links.append(values["href"])
        if tag == "link":
            loading = bool(set(values.get("rel", "").split()) & LINKS_THAT_LOAD)
            (self.loads if loading else self.links).append(values.get("href", ""))
        self.loads += [values[name] for kind, name in LOADS if tag == kind and name in values]
        self.loads += CSS_URL.findall(values.get("style", ""))


def _external(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.netloc) or parts.scheme not in ("", "data")


def check(site: Path, base: str = "") -> list[str]:
    """Everything wrong in a built site, one line each.

    `base` is the site's own address: absolute links below it must lead somewhere too.
    """
    site = site.resolve()
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    problems = []
    for path, page in pages.items():
        shown = path.relative_to(site).as_posix()
        if shown == "404.html" and not base:
            continue  # only a server shows it, from any address, so that its links are absolute
        problems += [f"{shown}: the id {name!r} stands twice" for name in page.twice]
        for load in page.loads:
            if _external(load):
                problems.append(f"{shown}: loads {load} from elsewhere")
        for link in page.links + [load for load in page.loads if not _external(load)]:
            start = site if base and link.startswith(base) else path.parent
            wanted = link.removeprefix(base) if base else link
            if shown == "404.html" and wanted.startswith(urlsplit(base).path):
                start, wanted = site, wanted.removeprefix(urlsplit(base).path)
            if _external(wanted) or wanted.startswith("data:"):
                continue
            if problem := _follow(site, start, path, wanted, pages):
                problems.append(f"{shown}: {link}: {problem}")
    for path in sorted(site.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        shown = path.relative_to(site).as_posix()
        problems += [f"{shown}: loads {url}" for url in CSS_URL.findall(text) if _external(url)]
    return problems


def _follow(site: Path, start: Path, page: Path, link: str, pages: dict[Path, _Page]) -> str | None:
    address, fragment = urldefrag(link)
    name = unquote(urlsplit(address).path)
    if name.startswith("/"):
        return "an absolute path breaks below a folder"
    target = (start / name).resolve() if name else page
    if target.is_dir():
        target = target / "index.html"
    if not target.is_file():
        return "no such file"
    if site not in target.parents:
        return "leads out of the site"
    if fragment and target in pages and unquote(fragment) not in pages[target].ids:
        return "no such anchor"
    return None


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page
