"""Start a new cause: the YAML and the snippets a contributor fills in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from unmeta.kb.load import Catalogue
from unmeta.kb.model import Area, EntryId, why_no_id

AREAS = {"torch": "torch", "accelerate": "accelerate", "transformers": "transformers", "peft": "peft"}
ASK = "TODO what only this cause answers with yes?"
DOWNSTREAM = ("diffusers", "sentence_transformers", "deepspeed", "bitsandbytes")
RAISED = re.compile(
    r"^(?:[\w.]+\.)?(?P<type>[A-Z]\w*(?:Error|Exception|Warning)): (?P<text>\S.*)$", re.MULTILINE
)


@dataclass(frozen=True)
class Draft:
    """What a paste tells of a new cause.

    `symptoms` are ids in the order of the paste; `through` functions that single the cause out, written as
    `package.module:function`; `message` the type and text of an exception that no symptom has yet.
    """

    symptoms: Sequence[str] = ()
    through: Sequence[str] = ()
    message: tuple[str, str] | None = None


def unknown_message(text: str) -> tuple[str, str] | None:
    """The last exception of a paste: its type and its text; None where none is printed."""
    found = list(RAISED.finditer(text))
    return (found[-1]["type"], found[-1]["text"].strip()) if found else None


def files(name: str, draft: Draft) -> dict[str, str]:
    """Texts of the files of a new cause by path from the root; what a person must write says TODO."""
    shown, texts = _seen(name, draft, "  ")
    lines = [
        "# yaml-language-server: $schema=../schema/cause.json",
        "title: TODO what happened, in the words of the library",
        f"area: {_area(draft.through)}  # or {', '.join(Area)}",
        "summary: >-",
        "  TODO two sentences: what to do, then what happened.",
        "symptoms:",
        *shown,
        "cause: |",
        "  TODO the mechanism: name the function and the version.",
        "fixes:",
        "  - id: todo",
        "    title: TODO what to do",
        "    why: TODO why it works.",
        "    costs: TODO what it changes besides.",
        "traps:",
        "  - id: todo",
        "    title: TODO the advice that is often given and does not help",
        "    why: TODO why it does not.",
        "    ends: wrong-result  # or the id of the symptom that it ends in",
        "references: []",
        "related: []",
    ]
    texts[f"kb/causes/{name}.yaml"] = "\n".join(lines) + "\n"
    for script in ("broken", "fix-todo", "trap-todo"):
        texts[f"snippets/{name}/{script}.py"] = SNIPPET
    return texts


SNIPPET = '''\
"""TODO what the person is doing."""

import torch

# code
model = torch.nn.Linear(2, 2, device="meta")  # TODO what a reader has; fix and trap differ in a few lines

# goal
assert torch.equal(model(torch.ones(2)), torch.ones(2))  # TODO what the reader wanted
'''


def face(text: str, line: int | None, name: str, draft: Draft) -> tuple[str, dict[str, str]]:
    """The text of a cause with another face, and files that it needs besides, by path from the root.

    `line` (from 1) is that of `faces`, None where the cause has none.
    """
    shown, texts = _seen(name, draft, "      ")
    block = [
        f"  - id: {name}",
        "    title: TODO how it shows here",
        "    symptoms:",
        *shown,
        f"    # holds: [<fix>]  of the cause, shown by fix-<fix>-{name}.py, or a fix with `face: {name}`",
    ]
    rows = text.rstrip("\n").split("\n")
    if line is None:
        return "\n".join([*rows, "faces:", *block]) + "\n", texts
    end = line
    while end < len(rows) and (not rows[end] or rows[end].startswith((" ", "-"))):
        end += 1
    if rows[line - 1].rstrip().endswith("[]"):
        rows[line - 1] = "faces:"
    return "\n".join([*rows[:end], *block, *rows[end:]]) + "\n", texts


def _seen(name: str, draft: Draft, indent: str) -> tuple[list[str], dict[str, str]]:
    """What is seen, as lines of an entry, and the symptom's file where the message is new."""
    if draft.symptoms:
        return _shown(draft.symptoms, draft.through, indent), {}
    symptom = _slug(draft.message[1]) if draft.message else f"{name}-todo-symptom"
    # A message that no other cause has tells this one by itself.
    lines = [f"{indent}- id: {symptom}", f"{indent}  tells: alone"]
    return lines, {f"kb/symptoms/{symptom}.yaml": _symptom(draft.message)}


def _shown(symptoms: Sequence[str], through: Sequence[str], indent: str) -> list[str]:
    """Symptoms in order; clues stand at the last one, which the others came before."""
    lines = []
    *before, last = symptoms
    for symptom in before:
        lines += [
            f"- id: {symptom}",
            "  tells: with",
            "  clues:",
            "    - ask: TODO what only this cause answers with yes?",
        ]
    lines += [f"- id: {last}", "  tells: with", "  clues:"]
    lines += [f"    - earlier: {symptom}" for symptom in before]
    if through:
        lines += [f"    - through: [{', '.join(map(json.dumps, through))}]"]
    lines += [f"    - ask: {ASK}"]
    return [indent + line for line in lines]


def _symptom(message: tuple[str, str] | None) -> str:
    kind, text = message or ("RuntimeError", "TODO the message")
    quoted = json.dumps(text, ensure_ascii=False)
    template = json.dumps(text.replace("{", "{{").replace("}", "}}"), ensure_ascii=False)
    return (
        "# yaml-language-server: $schema=../schema/symptom.json\n"
        f"title: {quoted}\nkind: exception\ntype: {kind}\nmessages:\n"
        f"  # write {{name}} for what varies\n  bare: {template}\n"
        "near_misses:\n  - TODO a message that only looks alike\n"
    )


def _slug(text: str) -> str:
    words = re.findall(r"[a-z]+", text.lower())[:5]
    return "-".join(words) or "todo-symptom"


def _area(through: Sequence[str]) -> str:
    packages = {function.partition(".")[0].partition(":")[0] for function in through}
    if packages & set(DOWNSTREAM):
        return "downstream"
    named = [AREAS[package] for package in ("peft", "accelerate", "transformers") if package in packages]
    return named[0] if named else "torch"


def face_script(main: str | None) -> str:
    """The script of a new face: that of its cause, whose stage and goal the fixes share."""
    if main is None:
        return SNIPPET
    return re.sub(r'\A"""[^"\n]*"""', SNIPPET.split("\n", 1)[0], main)


def no_id(name: str) -> str | None:
    """Why `name` is no id; None where it is one."""
    try:
        TypeAdapter(EntryId).validate_python(name)
    except ValidationError as error:
        return f"{name!r} {why_no_id(error)}"
    return None


def refuse(name: str, catalogue: Catalogue) -> str | None:
    """Why `name` cannot be a new cause; None where it can."""
    if reason := no_id(name):
        return reason
    for kind, entries in (
        ("cause", catalogue.causes),
        ("symptom", catalogue.symptoms),
        ("fact", catalogue.facts),
    ):
        for entry in entries.values():
            if name == entry.id or name in entry.aliases:
                return f"{name!r} already names the {kind} {entry.id}"
    return None


def write(root: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write new files below `root`. Raises FileExistsError before anything is written."""
    paths = [root / name for name in texts]
    for path in paths:
        if path.exists():
            raise FileExistsError(path)
    for path, text in zip(paths, texts.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return paths
