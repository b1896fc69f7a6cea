"""`unmeta rename`: give an entry another id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from unmeta.cli.checkout import load_catalogue, root_of, rooted
from unmeta.cli.door import OK, UsageError

if TYPE_CHECKING:
    import argparse

SAYS = "Give an entry another id; its address, links, snippets and runs stay."
NAMING = ("kb", "docs", "programs")
ELSEWHERE = ("tests", "benchmarks", "src", "README.md", "CONTRIBUTING.md")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("old", help="the entry's id")
    parser.add_argument("new", help="its id from now on")
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Change texts and move files; prints what moved. Raises UsageError before anything is written."""
    root = root_of(arguments)
    catalogue = load_catalogue(root)
    from unmeta.kb import rename, scaffold
    from unmeta.kb.check import nearest

    reason = scaffold.refuse(arguments.new, catalogue)
    if reason and not rename.is_former(catalogue, arguments.old, arguments.new):
        raise UsageError(reason)
    texts = {path.relative_to(root).as_posix(): text for path, text in _texts(root, NAMING)}
    try:
        found = rename.plan(catalogue, arguments.old, arguments.new, texts)
    except rename.RenameError as error:
        near = {**catalogue.causes, **catalogue.symptoms, **catalogue.facts}
        raise UsageError(f"{error}; {nearest(arguments.old, near)}") from error
    moves = [(root / old, root / new) for old, new in found.moves if (root / old).exists()]
    for _, target in moves:
        if target.exists():
            raise UsageError(f"{target} exists already; nothing was changed")
    try:
        for path, text in found.texts.items():
            (root / path).write_text(text, encoding="utf-8", newline="\n")
        for source, target in moves:
            source.rename(target)
    except OSError as error:
        raise UsageError(f"stopped half way: {error}; `git status` shows what was changed") from error
    for source, target in moves:
        print(f"{source.relative_to(root).as_posix()} → {target.relative_to(root).as_posix()}")
    print(f"{len(found.texts)} files name it anew")
    for left, text in _texts(root, ELSEWHERE):
        if arguments.old in text:
            print(f"left to you: {left.relative_to(root).as_posix()} names {arguments.old}")
    return OK


def _texts(root: Path, names: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    for name in names:
        top = root / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.suffix in (".yaml", ".md", ".jsonl", ".toml", ".json", ".py") and path.is_file():
                try:
                    yield path, path.read_text(encoding="utf-8")
                except (OSError, UnicodeDecodeError):
                    continue
