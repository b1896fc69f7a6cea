"""The answer to a paste as text for a terminal, and as HTML for a notebook. Standard library only."""

from __future__ import annotations

import textwrap

from unmeta.terminal import Paper, cleaned

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from unmeta.terminal import Kind

    Remedy = Callable[[str, Mapping[str, Any], Paper], Iterator[str]]

SHOWN_CAUSES = 3
OTHERS = 5  # ids that are named besides
QUESTIONS = (3, 1)  # of the first cause, and of every other
AGAINST = 1  # what speaks against a cause is seldom what decides
SHORT = 120  # characters of a message that is shown as it was pasted; of a longer one the title is


def render(answer: Mapping[str, Any], paper: Paper, remedy: Remedy | None = None) -> str:
    """Text of an answer of `unmeta.explain`; nothing that was pasted steers the terminal.

    `remedy` gives the lines that say what to do about the first cause, by its id.
    """
    return "\n".join(_lines(cleaned(answer), paper, remedy)) + "\n"


def recognised(answer: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    """The messages that were found, each once, with the lines of the paste that they stand in."""
    lines: dict[str, list[int]] = {}
    for seen in answer["seen"] if answer["known"] else ():
        said = seen["text"] if len(seen["text"]) <= SHORT else seen["title"]
        lines.setdefault(said, []).append(seen["line"])
    for said, places in lines.items():
        at = [str(place) for place in dict.fromkeys(places) if place]
        where = f"line{'s' if len(at) > 1 else ''} {', '.join(at[:4])}: " if at else ""
        yield paper.style("faint", paper.fill(where + said, "", "    "))


def _lines(answer: Mapping[str, Any], paper: Paper, remedy: Remedy | None) -> Iterator[str]:
    found = list(recognised(answer, paper))
    yield from found
    if found:
        yield ""
    yield paper.fill(answer["says"])
    if answer["why_not"]:
        yield ""
        yield paper.style("title", answer["why_not"]["title"])
        yield paper.fill(answer["why_not"]["says"])
    if not answer["known"]:
        return
    written = 1 if answer["verdict"] == "cause" else SHOWN_CAUSES
    for number, cause in enumerate(answer["causes"][:written], 1):
        yield ""
        yield from _cause(cause, number, paper)
        if remedy is not None and number == 1:
            yield from remedy(cause["id"], answer, paper)
        yield f"   unmeta show {cause['id']}   {cause['url']}"
    others = [cause["id"] for cause in answer["causes"][written:]]
    if others:
        yield ""
        more = f" and {len(others) - OTHERS} more" if len(others) > OTHERS else ""
        yield paper.fill(f"Less likely: {', '.join(others[:OTHERS])}{more}", "", "    ")
    if answer["next"]:
        yield ""
        yield paper.fill(answer["next"]["says"])
        yield ""
        yield textwrap.indent(answer["next"]["code"], "    ")


def _cause(cause: Mapping[str, Any], number: int, paper: Paper) -> Iterator[str]:
    share = f" ({cause['share']} %)" if cause.get("share") else ""
    yield paper.style("title", paper.fill(f"{number}. {cause['title']}{share}", "", "   "))

    def told(clues: list[Any], kind: Kind, mark: str) -> Iterator[str]:
        for clue in clues:
            yield paper.style(kind, paper.fill(_said(clue), f"   {mark:4} ", " " * 8))

    yield from told(_telling(cause["yes"]), "good", "yes")
    yield from told(_telling(cause["no"])[:AGAINST], "bad", "no")
    yield from told(cause["open"][: QUESTIONS[number > 1]], "faint", "?")


def _telling(clues: list[Any]) -> list[Any]:
    """Clues that say more than the message does; what is absent only where nothing is there to tell."""
    told = [clue for clue in clues if clue["clue"] != "wording"]
    return [clue for clue in told if not clue["clue"].startswith("not_")] or told


def _said(clue: Mapping[str, Any]) -> str:
    """A clue with the line of the paste that it is read from; of what is not there the beginning."""
    if clue.get("line"):
        return f"{clue['says']} Line {clue['line']}: {clue['text']}"
    return textwrap.shorten(clue["says"], 200, placeholder=" …")


def html(answer: Mapping[str, Any]) -> str:
    """An answer as HTML for a notebook: text from the paste is escaped, addresses are https or none."""
    from html import escape

    answer = cleaned(answer)
    rows = [f"<p><strong>{escape(answer['says'])}</strong></p>"]
    if answer["why_not"]:
        rows.append(f"<p>{escape(answer['why_not']['title'])}. {escape(answer['why_not']['says'])}</p>")
    if answer["known"]:
        rows = [f"<pre>{escape(line)}</pre>" for line in recognised(answer, Paper())] + rows
        rows.append("<ol>")
        for cause in answer["causes"][:SHOWN_CAUSES]:
            title, url = escape(cause["title"]), cause["url"]
            named = f'<a href="{escape(url)}">{title}</a>' if url.startswith("https://") else title
            said = [("✓", clue) for clue in _telling(cause["yes"])]
            said += [("?", clue) for clue in cause["open"][: QUESTIONS[0]]]
            clues = "".join(f"<li>{mark} {escape(_said(clue))}</li>" for mark, clue in said)
            rows.append(f"<li>{named} <code>{escape(cause['id'])}</code><ul>{clues}</ul></li>")
        rows.append("</ol>")
    return "\n".join(rows)
