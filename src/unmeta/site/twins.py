"""Each page as plain Markdown, for readers who are programs and for whoever quotes it elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping

from unmeta.site.pages import Site
from unmeta.site.text import outside_code

_FRONT = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
_ATTRIBUTES = re.compile(r" *\{:? *[#.a-z][^}\n]*\}")
_HIDDEN = re.compile(r'<span class="um-proof.*?</span>', re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_DRAWING = re.compile(r'<figure class="um-picture.*?<desc[^>]*>(?P<told>.*?)</desc>.*?</figure>', re.DOTALL)
_CELL = re.compile(r"</t[dh]>\s*(?=<t[dh])")
_CODE = re.compile(r"<code>([^<`\n]+)</code>")
_TAG = re.compile(r"</?[a-z][^>]*>", re.IGNORECASE)
_BLANK = re.compile(r"\n{3,}")
_KINDS = (("cause", "causes"), ("symptom", "symptoms"), ("fact", "facts"))


def twins(site: Site, pages: Mapping[str, str]) -> dict[str, str]:
    """Markdown without any HTML by path: that of the page, so that links between pages hold.

    `pages` are those without an entry, as they are rendered.
    """
    found = {}
    for kind, entries in _KINDS:
        for name, entry in getattr(site.catalogue, entries).items():
            path = f"e/{name}.md"
            found[path] = _tidy(site.render(f"{kind}.twin.j2", path, entry=entry))
    return found | {path: plain(text) for path, text in pages.items()}


def plain(markdown: str) -> str:
    """A page without front matter, attributes and tags; code is left as it is."""
    text = _FRONT.sub("", markdown)
    return _tidy(outside_code(text, lambda part: _stripped(part)))


def _stripped(part: str) -> str:
    part = _DRAWING.sub(lambda match: f"Drawing: {match['told']}", part)
    part = _CODE.sub(r"`\1`", _CELL.sub(" | ", part))
    for pattern in (_COMMENT, _HIDDEN, _ATTRIBUTES, _TAG):
        part = pattern.sub("", part)
    return part


def whole(site: Site, pages: dict[str, str]) -> str:
    """All of it in one text, entries first: what an assistant is given at once."""
    head = (
        "# unmeta: the whole guide\n\n"
        f"Every cause, message and fact, and the guide's own pages, from {site.source.base}. "
        "Each part begins with its address.\n"
    )
    parts = [f"<!-- {site.source.base}{path} -->\n\n{text}" for path, text in pages.items()]
    return "\n---\n\n".join([head, *parts])


def _tidy(text: str) -> str:
    return _BLANK.sub("\n\n", "\n".join(line.rstrip() for line in text.splitlines())).strip() + "\n"
