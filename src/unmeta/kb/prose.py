"""Rules for prose: short, plain sentences, and links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from unmeta.kb.findings import Finding
from unmeta.kb.load import Catalogue

LINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
FILLER = re.compile(
    r"\b(simply|just|please|basically|obviously|of course|in order to|note that|it should be noted|easily|"
    r"actually|very|really|quite|as you can see|needless to say|unfortunately)\b",
    re.IGNORECASE,
)
FIRST_PERSON = re.compile(r"\b(I|we|We|our|Our|us|my|My|let's|Let's)\b")
CODE = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"", re.DOTALL)
PROSE_KEYS = ("title", "summary", "cause", "why", "costs", "statement", "says", "note", "looks_like")
MAX_SENTENCES = 2


def _entries(catalogue: Catalogue) -> Iterator[tuple[str, str, BaseModel]]:
    for folder, entries in (
        ("causes", catalogue.causes),
        ("symptoms", catalogue.symptoms),
        ("facts", catalogue.facts),
    ):
        for name, entry in entries.items():
            yield folder, name, entry


def _texts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _texts(item, (*path, index))
    elif isinstance(value, str) and path and path[-1] in PROSE_KEYS:
        yield path, value


def prose(catalogue: Catalogue) -> Iterator[tuple[str, str, tuple[str | int, ...], str]]:
    """Every piece of prose: folder, id, path of its key, text. Titles of symptoms are messages, not prose."""
    for folder, name, entry in _entries(catalogue):
        for path, text in _texts(entry.model_dump()):
            if not (folder == "symptoms" and path == ("title",)):
                yield folder, name, path, text


def _finding(
    catalogue: Catalogue, place: tuple[str, str, tuple[str | int, ...]], rule: str, message: str, remedy: str
) -> Finding:
    folder, name, path = place
    line = catalogue.line(folder, name, *path)
    return Finding(f"kb/{folder}/{name}.yaml", line, rule, message, remedy)


def links_resolve(catalogue: Catalogue) -> Iterator[Finding]:
    """`[[id]]` names an entry."""
    known = {name for _, name, _ in _entries(catalogue)}
    for folder, name, path, text in prose(catalogue):
        for link in LINK.finditer(text):
            if link[1] not in known:
                yield _finding(
                    catalogue,
                    (folder, name, path),
                    "dead-link",
                    f"[[{link[1]}]] names no entry",
                    "correct the id",
                )


def summaries_are_short(catalogue: Catalogue) -> Iterator[Finding]:
    """A summary has at most two sentences."""
    for name, cause in catalogue.causes.items():
        plain = CODE.sub("x", cause.summary)
        count = len(re.findall(r"[.!?](?=\s|$)", plain))
        if count > MAX_SENTENCES:
            yield _finding(
                catalogue,
                ("causes", name, ("summary",)),
                "long-summary",
                f"{count} sentences; at most {MAX_SENTENCES}",
                "say what happened to the reader; the rest is `cause`",
            )


def no_filler(catalogue: Catalogue) -> Iterator[Finding]:
    """Words that carry nothing are left out."""
    for folder, name, path, text in prose(catalogue):
        found = FILLER.search(CODE.sub("", text))
        if found:
            yield _finding(
                catalogue, (folder, name, path), "filler", f"{found[0]!r} carries nothing", "leave it out"
            )


def no_first_person(catalogue: Catalogue) -> Iterator[Finding]:
    """The guide speaks of the reader's program, never of its writers."""
    for folder, name, path, text in prose(catalogue):
        if "title" in path:
            continue
        found = FIRST_PERSON.search(CODE.sub("", text))
        if found:
            yield _finding(
                catalogue,
                (folder, name, path),
                "first-person",
                f"{found[0]!r} speaks of the writers",
                "name the function or the value",
            )


PROSE_RULES = (links_resolve, summaries_are_short, no_filler, no_first_person)
