"""Give an entry another id, and keep its former address, its links, its snippets and its runs.

A plan is made first, from the catalogue and the texts that may name the entry; nothing is written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unmeta.kb.load import KINDS, Catalogue
from unmeta.kb.runfiles import FACTS, PROGRAMS

ALIASES = re.compile(r"^aliases:(?P<listed> *\[(?P<inside>[^\]\n]*)\])?[^\n]*$", re.MULTILINE)
REFERENCES = {"id", "earlier", "not_earlier", "related", "ends", "symptom", "cause"}
"""Keys whose values are ids of entries; below `faces`, `fixes` and `traps` an `id` is their own."""


@dataclass(frozen=True)
class Plan:
    """What a rename does: texts that change, by their path before it, and paths that move, folders too."""

    texts: Mapping[str, str]
    moves: tuple[tuple[str, str], ...]


class RenameError(ValueError):
    """The entry cannot be renamed so; the text says why."""


def is_former(catalogue: Catalogue, entry: str, name: str) -> bool:
    """Whether an entry was called `name` before: then it may be called so again."""
    found = (getattr(catalogue, kind).get(entry) for kind in KINDS)
    return any(item is not None and name in item.aliases for item in found)


def plan(catalogue: Catalogue, old: str, new: str, texts: Mapping[str, str]) -> Plan:
    """How to call the entry `old` `new` instead.

    `texts` are all files that may name it, by path from the root: those of `kb/`, `docs/` and `programs/`.
    Raises RenameError where `old` is no entry.
    """
    folder = next((kind for kind in KINDS if old in getattr(catalogue, kind)), None)
    if folder is None:
        raise RenameError(f"no entry is called {old!r}")
    changed: dict[str, str] = {}
    own = f"kb/{folder}/{old}.yaml"
    for path, text in texts.items():
        after = _linked(text, old, new) if path.endswith((".yaml", ".md")) else text
        if path.startswith("kb/") and path.endswith(".yaml") and not path.startswith("kb/schema/"):
            after = _referred(catalogue, path, after, old, new)
        elif path == "kb/reports.jsonl" or path == "kb/stacks.toml":
            after = after.replace(f'"{old}"', f'"{new}"')
        elif path.startswith("programs/") and path.endswith("/program.yaml"):
            after = re.sub(rf"(?m)^(cause: *){re.escape(old)}(?= *(#|$))", rf"\g<1>{new}", after)
        elif folder == "facts" and path == f"kb/runs/{FACTS}/{old}.json":
            after = after.replace(f'"{old}.py"', f'"{new}.py"')
        if path == own:
            after = _with_alias(_without_alias(after, new), old)
        if after != text:
            changed[path] = after
    return Plan(changed, tuple(_moves(folder, old, new, texts)))


def _moves(folder: str, old: str, new: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield f"kb/{folder}/{old}.yaml", f"kb/{folder}/{new}.yaml"
    files: list[str] = []
    if folder == "causes":
        yield f"snippets/{old}", f"snippets/{new}"
        yield f"{PROGRAMS}/{old}", f"{PROGRAMS}/{new}"
        yield f"kb/runs/{old}", f"kb/runs/{new}"
        yield f"kb/runs/{PROGRAMS}/{old}", f"kb/runs/{PROGRAMS}/{new}"
        files = ["kb/runs/{}.json"]
    elif folder == "facts":
        yield f"snippets/facts/{old}.py", f"snippets/facts/{new}.py"
        files = [f"kb/runs/{FACTS}/{{}}.json"]
    there = set(texts)
    for name in files:
        if name.format(old) in there:
            yield name.format(old), name.format(new)


def _linked(text: str, old: str, new: str) -> str:
    """Links of prose, and the markers of hand-written pages."""
    text = re.sub(rf"\[\[{re.escape(old)}(?=[\]|])", f"[[{new}", text)
    return re.sub(rf"(<!-- unmeta: [\w-]+ ){re.escape(old)}(?= -->)", rf"\g<1>{new}", text)


def _referred(catalogue: Catalogue, path: str, text: str, old: str, new: str) -> str:
    """References by key, in the lines where the entry's file has them."""
    _, folder, name = path.removesuffix(".yaml").split("/")
    entry = getattr(catalogue, folder, {}).get(name)
    if entry is None:
        return text
    rows = text.split("\n")
    word = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])")
    for place in _places(entry.model_dump(), old):
        at = catalogue.line(folder, name, *place) - 1
        rows[at] = word.sub(new, rows[at], count=1)
    return "\n".join(rows)


def _places(value: Any, old: str, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _places(item, old, (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _places(item, old, (*path, index))
    elif value == old and len(path) > 1:
        keys = [part for part in path if isinstance(part, str)]
        own_id = keys[-1] == "id" and len(keys) > 1 and keys[-2] in ("faces", "fixes", "traps")
        if keys[-1] in REFERENCES and not own_id:
            yield path


def _without_alias(text: str, name: str) -> str:
    """The text of an entry without one of its former ids."""
    found = ALIASES.search(text)
    if found is None:
        return text
    if found["listed"] is None:
        return re.sub(rf"(?m)^ *- {re.escape(name)} *\n", "", text)
    kept = [item for item in map(str.strip, found["inside"].split(",")) if item and item != name]
    return f"{text[: found.start()]}aliases: [{', '.join(kept)}]{text[found.end() :]}"


def _with_alias(text: str, old: str) -> str:
    """The text of an entry that lists `old` among its former ids."""
    found = ALIASES.search(text)
    if found is None:
        return f"{text.rstrip()}\naliases: [{old}]\n"
    if found["listed"] is None:
        return f"{text[: found.end()]}\n  - {old}{text[found.end() :]}"
    inside = ", ".join(filter(None, [found["inside"].strip(), old]))
    return f"{text[: found.start()]}aliases: [{inside}]{text[found.end() :]}"
