"""What an assistant is told: Markdown, short, each claim with what proves it. Standard library only."""

from __future__ import annotations

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MOST_HITS = 10
NOT_KNOWN = "Do not guess: ask for the whole traceback, the versions and the code that loads the model."


class UnknownEntryError(KeyError):
    """No entry has that name; the text says which are near."""


def explained(text: str) -> str:
    """The answer to a paste in the words of the page and the terminal; where several causes may fit, the
    change of the first as well.
    """
    from unmeta.match import explain
    from unmeta.match.result import change, decided, words

    answer = explain(text)
    found = answer["result"]
    if not found:
        why = answer["why_not"]
        told = f"{why['title']} {why['says']}" if why else answer["says"]
        return f"Not a meta-tensor problem that is known here. {told}\n\n{NOT_KNOWN}"
    said = words(answer, found)
    if not decided(answer):
        said += [("title", found["title"]), *change(found)]
    return "\n\n".join(_parts(said, answer))


def _parts(said: list[tuple[str, str]], answer: Mapping[str, Any]) -> Iterator[str]:
    """Words of an answer as paragraphs of Markdown."""
    from unmeta.match.shown import LABELS

    found = answer["result"]
    named = {cause["title"]: cause["id"] for cause in answer["causes"]}
    where, rows = "", 0
    for kind, text in said:
        if kind == "other-fix":
            continue  # `show` tells it
        rows = rows + 1 if kind == "row" else 0
        if kind == "title":
            yield f"**{text}** (`{found['id']}`) {found['url']}"
        elif kind == "where":
            where = text
        elif kind == "quote":
            yield f"{where}: `{text}`"
        elif kind == "row":
            if rows == 1:
                yield f"```diff\n{found['fix']['diff']}\n```"
        elif kind == "other":
            yield f"Or: {text} `{named[text.rpartition(' (')[0]]}`"
        else:
            yield ("Ask the person: " if kind == "ask" else LABELS.get(kind, "")) + text


def shown(name: str) -> str:
    """One entry. Raises UnknownEntryError."""
    found = entry(name)
    if found["kind"] == "cause":
        return "\n\n".join([_cause(found), "Why: " + unlinked(found["cause"].strip())])
    if found["kind"] == "symptom":
        rows = [f"- {cause['title']} ({cause['id']})" for cause in found["causes"]]
        return "\n".join(
            [f"**{found['title']}** {found['url']}", "", "Its causes, the likeliest first:", *rows]
        )
    scripts = "\n\n".join(f"```python\n{text.rstrip()}\n```" for text in found["snippets"].values())
    return f"**{found['statement']}** {found['url']}\n\n{found['says'].strip()}\n\n{scripts}"


def entry(name: str) -> dict[str, Any]:
    """An entry's plain data, by id, former id or address. Raises UnknownEntryError."""
    import difflib

    from unmeta.match.entries import load

    known = load()
    name = name.strip().rstrip("/").rpartition("/")[2].lower()
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, list(known), 3)
    raise UnknownEntryError(f"no entry {name!r}" + (f"; near: {', '.join(near)}" if near else ""))


def hits(query: str) -> str:
    """Entries that hold all words of a query, or most of them, those with the most first."""
    from unmeta.match.entries import load

    words = [word for word in query.lower().split() if len(word) > 1]
    if not words:
        return "Give a few words, or paste the error to explain()."
    known = load()
    scored = []
    for name in dict.fromkeys(known[name]["id"] for name in known):
        item = known[name]
        title = str(item.get("title") or item.get("statement")).lower()
        body = " ".join(str(item.get(key, "")) for key in ("summary", "says", "cause", "looks_like")).lower()
        score = sum(3 * (word in title) + (word in body) + 3 * (word in name) for word in words)
        if score:
            scored.append((-score, name, item))
    scored.sort(key=lambda row: row[:2])
    rows = [
        f"- {item.get('title') or item.get('statement')} ({item['kind']} {name})"
        for _, name, item in scored[:MOST_HITS]
    ]
    return "\n".join(rows) or f"Nothing holds {query!r}."


def scanned(source: str, path: str = "code.py") -> str:
    """What a static look at code finds."""
    from unmeta.scan.read import findings
    from unmeta.scan.tree import SourceError

    try:
        found = findings(source, path)
    except SourceError as error:
        return str(error)
    if not found:
        return "Nothing found. That is no proof: only patterns that code alone shows are looked for."
    return "\n".join(f"- line {item.line}: {item.says} (show {item.cause})" for item in found)


def skill() -> str:
    """The skill file: how an agent without the server uses the command."""
    from importlib import resources

    return resources.files("unmeta.assist").joinpath("SKILL.md").read_text(encoding="utf-8")


def guide_pages() -> dict[str, str]:
    """Path of each page of the guide by its name: in a checkout below `docs/`, else in the package."""
    import os

    from unmeta.checkout import PACKAGE, checkout

    root = checkout()
    folder = os.path.join(root, "docs", "guide") if root else os.path.join(PACKAGE, "assist", "guide")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return {name[:-3]: os.path.join(folder, name) for name in names if name.endswith(".md")}


def guide(name: str) -> str:
    """A page of the guide as Markdown. Raises UnknownEntryError."""
    pages = guide_pages()
    if name not in pages:
        raise UnknownEntryError(f"no page {name!r} in the guide; there are: {', '.join(pages)}")
    with open(pages[name], encoding="utf-8") as file:
        return unlinked(file.read())


def unlinked(text: str) -> str:
    """`[[id|text]]` as its text and `[[id]]` as the id."""
    first, *rest = text.split("[[")
    return first + "".join(
        link.rpartition("|")[2] + after for link, _, after in (part.partition("]]") for part in rest)
    )


def _cause(found: Mapping[str, Any]) -> str:
    return unlinked("\n".join(_cause_lines(found)))


def _cause_lines(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"**{found['title']}** (`{found['id']}`) {found['url']}"
    yield " ".join(found["summary"].split())
    for fix in [fix for fix in found["fixes"] if not fix.get("face")][:1]:
        yield f"Change: {fix['title']}"
        if fix.get("change"):
            yield f"```diff\n{fix['change']['diff'].rstrip()}\n```"
        if fix.get("costs"):
            yield "Costs: " + " ".join(fix["costs"].split())
    for trap in found["traps"][:1]:
        yield f"Not this: {trap['title']}. " + " ".join(trap["why"].split())
