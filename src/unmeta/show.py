"""An entry as text for a terminal. Standard library only: it serves people who have just the wheel."""

from __future__ import annotations

import textwrap

TYPE_CHECKING = False  # see unmeta.door
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    Style = Callable[[str, str], str]

WIDTH = 88

_CODES = {"title": "1", "head": "1;36", "bad": "31", "good": "32", "faint": "2"}


def colour(kind: str, text: str) -> str:
    """ANSI style of one kind of text."""
    return f"\x1b[{_CODES[kind]}m{text}\x1b[0m"


def plain(_kind: str, text: str) -> str:
    """The text as it is."""
    return text


def render(entry: Mapping[str, Any], style: Style = plain) -> str:
    """Text of an entry's JSON form (see `unmeta.kb.export`)."""
    parts = {"cause": _cause, "symptom": _symptom, "fact": _fact}[entry["kind"]](entry, style)
    return "\n".join(parts).rstrip() + "\n"


def _links(text: str) -> str:
    """`[[id|text]]` as text and `[[id]]` as the id."""
    parts = text.split("[[")
    return parts[0] + "".join(
        link.rpartition("|")[2] + rest for link, _, rest in (part.partition("]]") for part in parts[1:])
    )


def _fill(text: str, indent: str = "") -> str:
    lines = []
    for block in _links(text).strip().split("\n\n"):
        kept = block if block.startswith(("    ", "```", "|", "- ")) else " ".join(block.split())
        lines.append(
            textwrap.indent(kept, indent)
            if kept is block
            else textwrap.fill(
                kept,
                WIDTH,
                initial_indent=indent,
                subsequent_indent=indent,
                break_on_hyphens=False,
                break_long_words=False,
            )
        )
    return "\n\n".join(lines)


def _code(text: str, style: Style) -> str:
    return textwrap.indent(style("faint", text.rstrip()) if style is not plain else text.rstrip(), "    ")


def difference(before: str, after: str, style: Style) -> str:
    """Lines that a fix removes and adds, with two lines around them; docstrings are left out."""
    import difflib

    rows: list[str] = []
    old, new = before.splitlines()[1:], after.splitlines()[1:]
    for line in list(difflib.unified_diff(old, new, lineterm="", n=2))[2:]:
        if line.startswith("@@"):
            if rows:
                rows.append("      …")
            continue
        kind = {"+": "good", "-": "bad"}.get(line[:1], "faint")
        rows.append("    " + style(kind, f"{line[:1]} {line[1:]}"))
    return "\n".join(rows)


def _cause(entry: Mapping[str, Any], style: Style) -> Iterator[str]:
    yield style("title", entry["title"])
    yield style("faint", f"{entry['id']} · {entry['area']} · {entry['url']}")
    yield ""
    yield _fill(entry["summary"])
    yield ""
    yield style("head", "What is seen")
    for shown in entry["symptoms"]:
        yield _fill(f"{shown['title']}  ({shown['id']})", "  ")
    snippets = entry["snippets"]
    for number, fix in enumerate(entry["fixes"], 1):
        yield ""
        yield style("head", f"Fix {number}: {fix['title']}")
        yield _fill(fix["why"], "  ")
        if fix.get("costs"):
            yield _fill(f"Costs: {fix['costs']}", "  ")
        before, after = snippets.get(fix["broken"]), snippets.get(fix["snippet"])
        if before and after:
            yield ""
            yield difference(before, after, style)
    for trap in entry["traps"]:
        yield ""
        yield style("bad", f"Not this: {trap['title']}")
        yield _fill(trap["why"], "  ")
    yield ""
    yield style("head", "Why")
    yield _fill(entry["cause"], "  ")
    asks = [clue["ask"] for shown in entry["symptoms"] for clue in shown["clues"] if clue.get("ask")]
    if asks:
        yield ""
        yield style("head", "Is it really this?")
        for ask in dict.fromkeys(asks):
            yield _fill(f"- {ask}", "  ")
    if entry["related"]:
        yield ""
        yield style("head", "Related")
        yield "  " + ", ".join(entry["related"])


def _symptom(entry: Mapping[str, Any], style: Style) -> Iterator[str]:
    yield style("title", entry["title"])
    yield style("faint", f"{entry['id']} · {entry['symptom_kind']} · {entry['url']}")
    yield ""
    for name, wording in entry["messages"].items():
        since = " ".join(f"since {package} {release}" for package, release in wording["since"].items())
        yield _fill(f"{name}: {wording['text']}" + (f" ({since})" if since else ""), "  ")
    if entry.get("looks_like"):
        yield _fill(entry["looks_like"], "  ")
    yield ""
    yield style("head", "Causes")
    for cause in entry["causes"]:
        yield _fill(f"- {cause['title']}  ({cause['id']})", "  ")
        for ask in cause["asks"]:
            yield _fill(ask, "      ")


def _fact(entry: Mapping[str, Any], style: Style) -> Iterator[str]:
    yield style("title", entry["statement"])
    yield style("faint", f"{entry['id']} · {entry['area']} · {entry['url']}")
    yield ""
    yield _fill(entry["says"])
    yield ""
    for text in entry["snippets"].values():
        yield _code(text, style)
