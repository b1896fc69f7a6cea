"""The answer to a paste as text for a terminal. Standard library only."""

from __future__ import annotations

import sys
import textwrap

from unmeta.match import explain
from unmeta.show import WIDTH

TYPE_CHECKING = False  # see unmeta.door
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from unmeta.match import Answer
    from unmeta.show import Style

SHOWN_CAUSES = 3
SHOWN_QUESTIONS = 5
SHORT = 120  # characters of a message that is shown as it was pasted; of a longer one the title is


def ask_back(text: str, answer: Answer) -> Answer:
    """Put the open questions of the likeliest causes, one at a time, and rank again after each reply.

    Questions go to standard error and replies come from the terminal, so that a paste may be piped in. An
    empty reply leaves the question open; end of input ends the asking.
    """
    answers: dict[str, bool] = {}
    asked: set[str] = set()
    try:
        terminal = sys.stdin if sys.stdin.isatty() else open("/dev/tty", encoding="utf-8")  # noqa: SIM115
    except OSError:
        print("unmeta: no terminal to ask at; ranked without answers", file=sys.stderr)
        return answer
    for _ in range(SHOWN_QUESTIONS):
        question = next(
            (clue for cause in answer["causes"] for clue in cause["open"] if clue["id"] not in asked), None
        )
        if question is None:
            break
        asked.add(question["id"])
        print(f"{question['says']} [y/n/Enter] ", end="", file=sys.stderr, flush=True)
        line = terminal.readline()
        if not line:
            break
        reply = line.strip().lower()[:1]
        if reply in ("y", "n"):
            answers[question["id"]] = reply == "y"
            answer = explain(text, answers)
    return answer


def render(answer: Mapping[str, Any], style: Style) -> str:
    """Text of an answer of `unmeta.explain`."""
    return "\n".join(_lines(answer, style))


def _wrapped(text: str, first: str = "", then: str | None = None) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=first if then is None else then,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _lines(answer: Mapping[str, Any], style: Style) -> Iterator[str]:
    lines: dict[str, list[int]] = {}
    for seen in answer["seen"] if answer["known"] else ():
        said = seen["text"] if len(seen["text"]) <= SHORT else seen["title"]
        lines.setdefault(said, []).append(seen["line"])
    for said, places in lines.items():
        at = [str(place) for place in dict.fromkeys(places) if place]
        where = f"line{'s' if len(at) > 1 else ''} {', '.join(at[:4])}: " if at else ""
        yield style("faint", _wrapped(where + said, "", "    "))
    if lines:
        yield ""
    yield _wrapped(answer["says"])
    if answer["why_not"]:
        yield ""
        yield style("title", answer["why_not"]["title"])
        yield _wrapped(answer["why_not"]["says"])
    if not answer["known"]:
        return
    for number, cause in enumerate(answer["causes"][:SHOWN_CAUSES], 1):
        yield ""
        yield style("title", f"{number}. {cause['title']}")
        # A wording is left out: it says nothing that the message does not.
        for clue in (clue for clue in cause["yes"] if clue["clue"] != "wording"):
            yield style("good", _wrapped(clue["says"], "   yes  ", "        "))
        for clue in (clue for clue in cause["no"] if clue["clue"] != "wording"):
            yield style("bad", _wrapped(clue["says"], "   no   ", "        "))
        for clue in cause["open"]:
            yield style("faint", _wrapped(clue["says"], "   ?    ", "        "))
        yield f"   unmeta show {cause['id']}   {cause['url']}"
    others = answer["causes"][SHOWN_CAUSES:]
    if others:
        yield ""
        yield _wrapped("Less likely: " + ", ".join(cause["id"] for cause in others), "", "    ")
    if answer["next"]:
        yield ""
        yield _wrapped(answer["next"]["says"])
        yield ""
        yield textwrap.indent(answer["next"]["code"], "    ")


def evidence(text: str) -> tuple[list[str], list[str]]:
    """Symptoms (ids) and library functions (`package.module:function`, innermost last) that a paste shows."""
    from unmeta.match.paste import Paste

    through = []
    for frame in Paste(text).frames:
        if not frame.user and frame.module:
            through.append(f"{frame.module.replace('/', '.')}:{frame.function}")
    return list(explain(text)["symptoms"]), list(dict.fromkeys(through))
