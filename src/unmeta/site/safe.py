"""What a page may hold: the HTML of its content by an allow-list, its scripts by their hashes.

Entries, runs and reports come from anyone. Their text is escaped where it becomes Markdown; what slips
through there is stopped here, whichever way it took, and a browser stops what slips through here.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Collection, Iterator

import nh3

SCHEMES = {"https"}
TAGS = {
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em",
    "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "ins", "kbd", "li", "mark", "ol",
    "p", "pre", "s", "samp", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {
    "*": {"aria-hidden", "aria-label", "class", "id", "lang", "role", "title"},
    "a": {"download", "href", "rel"},
    "details": {"data-applies", "open"},
    "div": {"data-applies", "data-change", "data-diff", "data-example"},
    "img": {"alt", "height", "loading", "src", "width"},
    "ol": {"start"},
    "p": {"data-ran"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan", "scope"},
}
OURS = re.compile(r"__|unmeta-")  # ids that scripts look their settings up by
_RELATIVE = re.compile(r"(?![/\\]{2})[^:]*(?:[/?#].*)?", re.DOTALL)
_INLINE = re.compile(r"<script(?![^>]*\ssrc\s*=)([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_DATA = re.compile(r'type="application/(?:ld\+)?json"')
_PLACE = re.compile(r'(?<=new URL\(")[^"\\<>]*(?=")')
_HEAD = re.compile(r'<meta charset="utf-8">', re.IGNORECASE)


class UnsafeError(ValueError):
    """A page holds a script that is none of the theme's."""


def content(html: str, drawings: Collection[str] = ()) -> str:
    """The HTML of a page's content without anything that runs, loads from elsewhere or poses as the theme.

    `drawings` are the site's own; where one of them stands to the letter, it stays. Any other SVG goes.
    """
    secret = secrets.token_hex(8)
    kept = {f"drawing-{secret}-{number}": drawing for number, drawing in enumerate(drawings)}
    for name, drawing in kept.items():
        html = html.replace(drawing, name)
    cleaned = _cleaned(html)
    for name, drawing in kept.items():
        cleaned = cleaned.replace(name, drawing)
    return cleaned


def _cleaned(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        clean_content_tags={"script", "style"},
        attributes=ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes=SCHEMES,
        link_rel=None,
        strip_comments=True,
    )


def _attribute(_tag: str, name: str, value: str) -> str | None:
    if name == "id" and OURS.match(value):
        return None
    if name == "src" and not _RELATIVE.fullmatch(value):
        return None  # a picture from elsewhere tells who reads the page
    return value


def attribute(text: str) -> str:
    """Text, escaped or not, as the theme may write it anywhere: no tags, no quotes."""
    return nh3.clean(text, tags=set(), attributes={}, strip_comments=True).replace('"', "&quot;")


def toc_title(html: str) -> str:
    """The title of a section in a table of contents: code is all the mark-up it may have."""
    return nh3.clean(html, tags={"code"}, attributes={}, strip_comments=True)


def inline_scripts(page: str) -> Iterator[str]:
    """The scripts that stand in a page and run."""
    for attributes, script in _INLINE.findall(page):
        if not _DATA.search(attributes):
            yield script


def known(script: str) -> str:
    """A script of the theme without the place of the page that it stands in."""
    return _PLACE.sub("", script)


def guarded(page: str, scripts: Collection[str]) -> str:
    """The page with a content security policy: its own files, and inline scripts of the theme alone.

    `scripts` are those (see `known`) of a page without any content. Raises UnsafeError where another stands.
    """
    hashes = []
    for script in inline_scripts(page):
        if known(script) not in scripts:
            raise UnsafeError(f"an inline script that is none of the theme's: {script.strip()[:60]!r}")
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        hashes.append(f"'sha256-{digest}'")
    policy = "; ".join(
        [
            "default-src 'none'",
            " ".join(["script-src 'self'", *dict.fromkeys(hashes)]),
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
        ]
    )
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    guarded, count = _HEAD.subn(lambda match: f"{match[0]}{meta}", page, count=1)
    if not count:
        raise UnsafeError("a page without <meta charset> has no place for its policy")
    return guarded
