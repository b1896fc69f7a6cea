"""An entry as text for a terminal. Standard library only: it serves people who have just the wheel."""

from __future__ import annotations

import textwrap

from unmeta.terminal import Paper, cleaned

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from unmeta.terminal import Kind


def render(entry: Mapping[str, Any], paper: Paper) -> str:
    """Text of an entry's JSON form (see `unmeta.kb.export`)."""
    entry = cleaned(entry)
    parts = {"cause": _cause, "symptom": _symptom, "fact": _fact}[entry["kind"]](entry, paper)
    return "\n".join(parts).rstrip() + "\n"


def _links(text: str) -> str:
    """`[[id|text]]` as text and `[[id]]` as the id."""
    parts = text.split("[[")
    return parts[0] + "".join(
        link.rpartition("|")[2] + rest for link, _, rest in (part.partition("]]") for part in parts[1:])
    )


def _fill(paper: Paper, text: str, indent: str = "") -> str:
    blocks = []
    for block in _links(text).strip().split("\n\n"):
        if block.startswith(("    ", "```", "|", "- ")):
            blocks.append(textwrap.indent(block, indent))
        else:
            blocks.append(paper.fill(" ".join(block.split()), indent))
    return "\n\n".join(blocks)


def _code(paper: Paper, text: str) -> str:
    return textwrap.indent(paper.style("faint", text.rstrip()), "    ")


def _change(paper: Paper, diff: str) -> str:
    """The lines that a fix removes from the reader's code and adds to it."""
    rows: list[str] = []
    for line in diff.split("\n"):
        if line == "@@":
            rows += ["      …"] if rows else []
            continue
        kind: Kind = "good" if line[:1] == "+" else "bad" if line[:1] == "-" else "faint"
        rows.append("    " + paper.style(kind, f"{line[:1]} {line[1:]}".rstrip()))
    return "\n".join(rows)


def _cause(entry: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    yield paper.style("title", entry["title"])
    yield paper.style("faint", f"{entry['id']} · {entry['area']} · {entry['url']}")
    yield ""
    yield _fill(paper, entry["summary"])
    yield ""
    yield paper.style("head", "What is seen")
    for shown in entry["symptoms"]:
        yield _fill(paper, f"{shown['title']}  ({shown['id']})", "  ")
    for number, fix in enumerate(entry["fixes"], 1):
        yield ""
        yield paper.style("head", f"Fix {number}: {fix['title']}")
        yield _fill(paper, fix["why"], "  ")
        if fix.get("costs"):
            yield _fill(paper, f"Costs: {fix['costs']}", "  ")
        for item in fix["prints"]:
            why = f": {item['why']}" if item.get("why") else ""
            yield _fill(paper, f"Prints, and all is well: {item['title']}  ({item['id']}){why}", "  ")
        if fix.get("change"):
            yield ""
            yield _change(paper, fix["change"]["diff"])
    for trap in entry["traps"]:
        yield ""
        yield paper.style("bad", f"Not this: {trap['title']}")
        yield _fill(paper, trap["why"], "  ")
    yield ""
    yield paper.style("head", "Why")
    yield _fill(paper, entry["cause"], "  ")
    asks = [clue["ask"] for shown in entry["symptoms"] for clue in shown["clues"] if clue.get("ask")]
    if asks:
        yield ""
        yield paper.style("head", "Is it really this?")
        for ask in dict.fromkeys(asks):
            yield _fill(paper, f"- {ask}", "  ")
    if entry["related"]:
        yield ""
        yield paper.style("head", "Related")
        yield "  " + ", ".join(entry["related"])


def _symptom(entry: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    yield paper.style("title", entry["title"])
    yield paper.style("faint", f"{entry['id']} · {entry['symptom_kind']} · {entry['url']}")
    yield ""
    for name, wording in entry["messages"].items():
        since = " ".join(f"since {package} {release}" for package, release in wording["since"].items())
        yield _fill(paper, f"{name}: {wording['text']}" + (f" ({since})" if since else ""), "  ")
    if entry.get("looks_like"):
        yield _fill(paper, entry["looks_like"], "  ")
    yield ""
    yield paper.style("head", "Causes")
    for cause in entry["causes"]:
        yield _fill(paper, f"- {cause['title']}  ({cause['id']})", "  ")
        for ask in cause["asks"]:
            yield _fill(paper, ask, "      ")


def _fact(entry: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    yield paper.style("title", entry["statement"])
    yield paper.style("faint", f"{entry['id']} · {entry['area']} · {entry['url']}")
    yield ""
    yield _fill(paper, entry["says"])
    yield ""
    for text in entry["snippets"].values():
        yield _code(paper, text)
