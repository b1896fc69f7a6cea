"""The answer to a paste as text for a terminal. Standard library only."""

from __future__ import annotations

import textwrap

from unmeta.terminal import Paper, cleaned

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

SHOWN_CAUSES = 3
SHORT = 120  # characters of a message that is shown as it was pasted; of a longer one the title is


def render(answer: Mapping[str, Any], paper: Paper) -> str:
    """Text of an answer of `unmeta.explain`; nothing that was pasted steers the terminal."""
    return "\n".join(_lines(cleaned(answer), paper)) + "\n"


def _lines(answer: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    lines: dict[str, list[int]] = {}
    for seen in answer["seen"] if answer["known"] else ():
        said = seen["text"] if len(seen["text"]) <= SHORT else seen["title"]
        lines.setdefault(said, []).append(seen["line"])
    for said, places in lines.items():
        at = [str(place) for place in dict.fromkeys(places) if place]
        where = f"line{'s' if len(at) > 1 else ''} {', '.join(at[:4])}: " if at else ""
        yield paper.style("faint", paper.fill(where + said, "", "    "))
    if lines:
        yield ""
    yield paper.fill(answer["says"])
    if answer["why_not"]:
        yield ""
        yield paper.style("title", answer["why_not"]["title"])
        yield paper.fill(answer["why_not"]["says"])
    if not answer["known"]:
        return
    for number, cause in enumerate(answer["causes"][:SHOWN_CAUSES], 1):
        yield ""
        yield paper.style("title", f"{number}. {cause['title']}")
        # A wording is left out: it says nothing that the message does not.
        for clue in (clue for clue in cause["yes"] if clue["clue"] != "wording"):
            yield paper.style("good", paper.fill(clue["says"], "   yes  ", "        "))
        for clue in (clue for clue in cause["no"] if clue["clue"] != "wording"):
            yield paper.style("bad", paper.fill(clue["says"], "   no   ", "        "))
        for clue in cause["open"]:
            yield paper.style("faint", paper.fill(clue["says"], "   ?    ", "        "))
        yield f"   unmeta show {cause['id']}   {cause['url']}"
    others = answer["causes"][SHOWN_CAUSES:]
    if others:
        yield ""
        yield paper.fill("Less likely: " + ", ".join(cause["id"] for cause in others), "", "    ")
    if answer["next"]:
        yield ""
        yield paper.fill(answer["next"]["says"])
        yield ""
        yield textwrap.indent(answer["next"]["code"], "    ")
