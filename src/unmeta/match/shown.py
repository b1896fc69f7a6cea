"""The answer to a paste as text for a terminal, and as HTML for a notebook. Standard library only."""

from __future__ import annotations

import textwrap

from unmeta.match.result import decided, words
from unmeta.terminal import Paper, cleaned

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from unmeta.terminal import Style

SHORT = 120  # characters of a message that is shown as it was pasted; of a longer one the title is
LABELS = {"fix": "Change: ", "trap": "Not this: ", "ask": "? "}
"""What stands before the words of a kind."""


def render(answer: Mapping[str, Any], paper: Paper) -> str:
    """Text of an answer of `unmeta.explain`; nothing that was pasted steers the terminal."""
    return "\n".join(_lines(cleaned(answer), paper)).rstrip() + "\n"


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


def _lines(answer: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    shown = answer.get("result")
    if not shown:
        yield paper.fill(answer["says"])
        if answer["why_not"]:
            yield ""
            yield paper.style("title", answer["why_not"]["title"])
            yield paper.fill(answer["why_not"]["says"])
        return
    last = ""
    number = 1 if decided(answer) else 0
    for kind, text in words(answer, shown):
        if kind in ("title", "where", "why", "fix", "trap", "means") or (kind == "ask" and last != "ask"):
            yield ""
        if kind == "other":
            number += 1
            if last not in ("other", "other-fix"):
                yield ""
                yield paper.style("faint", "Next" if number > 1 else "The likeliest first")
        yield from _line(kind, text, shown, paper, number)
        last = kind
    found = list(recognised(answer, paper))
    if found:
        yield ""
        yield from found
    if answer["next"] and not decided(answer):
        yield ""
        yield paper.fill(answer["next"]["says"])
        yield ""
        yield textwrap.indent(answer["next"]["code"], "    ")
    yield ""
    yield f"unmeta show {shown['id']}   {shown['url']}"


def _line(kind: str, text: str, shown: Mapping[str, Any], paper: Paper, number: int) -> Iterator[str]:
    if kind == "title":
        yield paper.style("title", paper.fill(text))
    elif kind == "where":
        yield paper.style("faint", f"  {text}")
    elif kind == "quote":
        yield from _quote(text, shown["line"]["marks"], paper)
    elif kind == "row":
        style: Style = "good" if text[:1] == "+" else "bad" if text[:1] == "-" else "faint"
        yield f"    {paper.style(style, text)}" if text else ""
    elif kind == "fix":
        yield paper.style("head", paper.fill(LABELS[kind] + text, "", "        "))
    elif kind == "trap":
        yield paper.style("bad", paper.fill(LABELS[kind] + text, "", "          "))
    elif kind == "ran":
        yield paper.style("faint", paper.fill(text, "  "))
    elif kind == "ask":
        yield paper.fill(LABELS[kind] + text, "", "  ")
    elif kind == "other":
        yield paper.fill(f"{number}. {text}", "  ", "     ")
    elif kind == "other-fix":
        yield paper.style("faint", paper.fill(text, "     "))
    else:
        yield paper.fill(text)


def _quote(text: str, marks: Sequence[Sequence[int]], paper: Paper) -> Iterator[str]:
    """The reader's line with its marked words in colour, or underlined where none is and it fits."""
    if paper.coloured:
        parts, end = [], 0
        for start, stop in marks:
            parts += [text[end:start], paper.style("mark", text[start:stop])]
            end = stop
        yield f"  | {''.join(parts)}{text[end:]}"
        return
    if len(text) + 4 > paper.width:
        yield paper.fill(text, "  | ", "  |   ")
        return
    yield f"  | {text}"
    under = "".join("^" if any(a <= at < b for a, b in marks) else " " for at in range(len(text))).rstrip()
    if under and under != "^" * len(text):
        yield f"  | {under}"


def html(answer: Mapping[str, Any]) -> str:
    """An answer as HTML for a notebook: text from the paste is escaped, addresses are https or none."""
    from html import escape

    answer = cleaned(answer)
    shown = answer.get("result")
    if not shown:
        parts = [f"<p><strong>{escape(answer['says'])}</strong></p>"]
        if answer["why_not"]:
            parts.append(f"<p>{escape(answer['why_not']['title'])}. {escape(answer['why_not']['says'])}</p>")
        return "\n".join(parts)
    rows: list[str] = []
    parts = []
    causes = iter([*([] if decided(answer) else [shown]), *shown["others"]])
    sure = decided(answer)
    listed: list[str] = []
    told = words(answer, shown)
    for at, (kind, text) in enumerate(told):
        said = escape(text)
        if kind == "row":
            rows.append(said)
            if at + 1 == len(told) or told[at + 1][0] != "row":
                parts.append("<pre>" + "\n".join(rows) + "</pre>")
        elif kind == "title":
            parts.append(f"<h4>{_linked(shown['url'], said)}</h4>")
        elif kind == "quote":
            parts.append(f"<pre>{_marked(text, shown['line']['marks'])}</pre>")
        elif kind == "other":
            listed.append(f"<li>{_linked(next(causes)['url'], said)}")
        elif kind == "other-fix":
            listed.append(f"<br>{said}")
        else:
            tag = "small" if kind in ("where", "ran") else "strong" if kind in ("verdict", "fix") else "span"
            parts.append(f"<p><{tag}>{escape(LABELS.get(kind, ''))}{said}</{tag}></p>")
    if listed:
        fold = (
            "<details><summary>Next</summary>"
            if sure
            else "<details open><summary>The likeliest first</summary>"
        )
        parts.append(f'{fold}<ol start="{1 + sure}">{"".join(listed)}</ol></details>')
    return "\n".join(parts)


def _linked(url: str, said: str) -> str:
    from html import escape

    return f'<a href="{escape(url)}">{said}</a>' if url.startswith("https://") else said


def _marked(text: str, marks: Sequence[Sequence[int]]) -> str:
    from html import escape

    parts, end = [], 0
    for start, stop in marks:
        parts += [escape(text[end:start]), f"<mark>{escape(text[start:stop])}</mark>"]
        end = stop
    return "".join(parts) + escape(text[end:])
