"""`unmeta show`: print an entry."""

from __future__ import annotations

import sys

from unmeta.cli.door import OK, UsageError, print_json, simple

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

SAYS = "Print an entry: cause, symptom or fact."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("id", help="the name of an entry, as `unmeta explain` prints it")
    parser.add_argument("--json", action="store_true", help="print the entry as JSON")


def quick(words: Sequence[str]) -> int | None:
    """Run a plain call without argparse."""
    plain = simple(words, ("--json",))
    return _show(plain[1][0], "--json" in plain[0]) if plain and plain[1] else None


def run(arguments: argparse.Namespace) -> int:
    """Print one entry. Raises UsageError where nothing has its name."""
    return _show(arguments.id, arguments.json)


def _show(name: str, as_json: bool) -> int:
    entry = _entry(name)
    if as_json:
        print_json(entry)
    else:
        from unmeta.cli.entry import render
        from unmeta.terminal import paper

        sys.stdout.write(render(entry, paper(sys.stdout)))
    return OK


def _compiled(root: Path) -> dict[str, Any]:
    from unmeta.match.likely import entries_of

    return entries_of(root)


def _entry(name: str) -> dict[str, Any]:
    from unmeta.kb.entries import load

    try:
        entries = load(_compiled)
    except (FileNotFoundError, ImportError, ValueError) as error:
        raise UsageError(f"the entries cannot be read: {error}") from error
    if entries.outdated:
        print(f"unmeta: shown as it was before the last change: {entries.outdated}", file=sys.stderr)
    if name in entries:
        return entries[name]
    import difflib

    near = difflib.get_close_matches(name, entries, 3)
    hint = f"did you mean {', '.join(near)}?" if near else "`unmeta explain` finds it by its message"
    raise UsageError(f"nothing is called {name!r}; {hint}")
