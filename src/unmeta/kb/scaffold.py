"""Start a new cause: the YAML and the snippets a contributor fills in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from unmeta.kb.load import Catalogue
from unmeta.kb.model import EntryId, why_no_id


def files(name: str, symptoms: Sequence[str], through: Sequence[str]) -> Mapping[str, str]:
    """Texts of the new files by path from the root.

    `symptoms` are ids recognised in a paste, in order; `through` functions of its frames, written
    as `package.module:function`, innermost last.
    """
    shown = list(symptoms) or ["todo-symptom"]
    lines = [
        "# yaml-language-server: $schema=../schema/cause.json",
        "title: TODO what happened, in the words of the library",
        "area: torch  # torch | accelerate | transformers | peft | distributed | downstream",
        "summary: >-",
        "  TODO at most two sentences: what happened to the reader.",
        "symptoms:",
    ]
    for symptom in shown:
        lines += [f"  - id: {symptom}", "    tells: with", "    clues:"]
        lines += [f"      - through: {function}" for function in through[-3:]]
        lines += ["      - ask: TODO a question that only this cause answers with yes"]
    lines += [
        "cause: |",
        "  TODO the mechanism: name the function and the version.",
        'applies: {torch: ">=2.1"}',
        "fixes:",
        "  - id: todo",
        "    title: TODO what to do",
        "    why: TODO why it works.",
        "    costs: TODO what it changes besides.",
        "references: []",
        "related: []",
    ]
    snippet = (
        '"""TODO what the person is doing."""\n\nimport torch\n\n# code\n\n# goal\nassert torch.tensor(0)\n'
    )
    return {
        f"kb/causes/{name}.yaml": "\n".join(lines) + "\n",
        f"snippets/{name}/broken.py": snippet,
        f"snippets/{name}/fix-todo.py": snippet,
    }


def refuse(name: str, catalogue: Catalogue) -> str | None:
    """Why `name` cannot be a new cause; None where it can."""
    try:
        TypeAdapter(EntryId).validate_python(name)
    except ValidationError as error:
        return f"{name!r} {why_no_id(error)}"
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
