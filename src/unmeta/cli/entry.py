"""An entry as text for a terminal. Standard library only: it serves people who have just the wheel."""

from __future__ import annotations

import textwrap

from unmeta.terminal import Paper, cleaned

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from unmeta.terminal import Style

ASKS, LIKELY = 3, 5  # questions of a cause, and causes of a message, that are written out


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
        if block.startswith("- "):
            items = (" ".join(item.split()) for item in block[2:].split("\n- "))
            blocks.append("\n".join(paper.fill(item, f"{indent}- ", f"{indent}  ") for item in items))
        elif block.startswith(("    ", "```", "|")):
            blocks.append(textwrap.indent(block, indent))
        else:
            blocks.append(paper.fill(" ".join(block.split()), indent))
    return "\n\n".join(blocks)


def _code(paper: Paper, text: str) -> str:
    return textwrap.indent(paper.style("faint", text.rstrip()), "    ")


def change(paper: Paper, diff: str) -> str:
    """The lines that a fix removes from the reader's code and adds to it."""
    rows: list[str] = []
    for line in diff.split("\n"):
        if line == "@@":
            rows += ["      …"] if rows else []
            continue
        kind: Style = "good" if line[:1] == "+" else "bad" if line[:1] == "-" else "faint"
        shown = f"{line[:1]} {line[1:]}".rstrip()
        rows.append("    " + paper.style(kind, shown) if shown else "")
    return "\n".join(rows)


def _cause(entry: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    """The change first, then why, then what does not help."""
    yield paper.style("title", paper.fill(entry["title"]))
    where = "".join(f" · {package} {wanted}" for package, wanted in entry["applies"].items())
    yield paper.style("faint", f"{entry['id']} · {entry['area']}{where} · {entry['url']}")
    yield ""
    yield _fill(paper, entry["summary"])
    faces = {face["id"]: face["title"] for face in entry["faces"]}
    for number, fix in enumerate(entry["fixes"], 1):
        yield ""
        yield paper.style("head", paper.fill(f"Fix {number}: {fix['title']}", "", "       "))
        if fix.get("face"):
            yield _fill(paper, f"Where: {faces.get(fix['face'], fix['face'])}", "  ")
        yield from _way(fix, paper)
        if fix.get("costs"):
            yield _fill(paper, f"Costs: {fix['costs']}", "  ")
        for item in fix["prints"]:
            why = f": {item['why']}" if item.get("why") else ""
            yield _fill(paper, f"Prints, and all is well: {item['title']}  ({item['id']}){why}", "  ")
    for trap in entry["traps"]:
        yield ""
        yield paper.style("bad", paper.fill(f"Not this: {trap['title']}", "", "          "))
        yield _fill(paper, trap["why"], "  ")
    yield ""
    yield paper.style("head", "Why")
    yield _fill(paper, entry["cause"], "  ")
    yield ""
    yield paper.style("head", "What is seen")
    for shown in entry["symptoms"]:
        yield _fill(paper, f"{shown['title']}  ({shown['id']})", "  ")
    asks = [clue["ask"] for shown in entry["symptoms"] for clue in shown["clues"] if clue.get("ask")]
    if asks:
        yield ""
        yield paper.style("head", "Is it really this?")
        for ask in list(dict.fromkeys(asks))[:ASKS]:
            yield paper.fill(f"- {_links(ask)}", "  ", "    ")
    if entry["related"]:
        yield ""
        yield paper.style("head", "Related")
        yield paper.fill(", ".join(entry["related"]), "  ")


def _way(way: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    if way.get("change"):
        yield change(paper, way["change"]["diff"])
        yield ""
    yield _fill(paper, way["why"], "  ")


def _symptom(entry: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    """What it looks like, its likeliest causes with a question each, the others by library."""
    yield paper.style("title", paper.fill(entry["title"]))
    yield paper.style("faint", f"{entry['id']} · {entry['symptom_kind']} · {entry['url']}")
    yield ""
    for name, wording in entry["messages"].items():
        since = " ".join(f"since {package} {release}" for package, release in wording["since"].items())
        yield _fill(paper, f"{name}: {wording['text']}" + (f" ({since})" if since else ""), "  ")
    if entry.get("looks_like"):
        yield _fill(paper, entry["looks_like"], "  ")
    causes = entry["causes"]
    if not causes:
        return
    yield ""
    few = len(causes) <= LIKELY
    yield paper.style("head", "Causes" if few else f"The likeliest of {len(causes)} causes")
    for cause in causes[:LIKELY]:
        yield paper.fill(f"- {cause['title']}  ({cause['id']})", "  ", "    ")
        for ask in cause["asks"][:1]:
            yield paper.fill(_links(ask), "      ")
        if cause["fix"]:
            yield paper.style("good", paper.fill(f"Fix: {cause['fix']}", "      ", "           "))
    groups: dict[str, list[str]] = {}
    for cause in causes[LIKELY:]:
        groups.setdefault(cause["area"], []).append(cause["id"])
    for area, names in groups.items():
        yield ""
        yield paper.style("head", f"In {area}")
        yield paper.fill(", ".join(names), "  ")
    if not few:
        yield ""
        yield paper.fill("A whole traceback tells them apart: unmeta explain error.txt")


def _fact(entry: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    yield paper.style("title", paper.fill(entry["statement"]))
    yield paper.style("faint", f"{entry['id']} · {entry['area']} · {entry['url']}")
    yield ""
    yield _fill(paper, entry["says"])
    yield ""
    for text in entry["snippets"].values():
        yield _code(paper, text)
