"""`unmeta runs`: what was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from unmeta.cli.checkout import load_catalogue, needing, root_of, rooted
from unmeta.cli.door import OK, UsageError

if TYPE_CHECKING:
    import argparse

SAYS = "Merge recorded runs."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parts = parser.add_subparsers(required=True, metavar="PART")
    merge = parts.add_parser("merge", help="add the runs that `pytest … --record --record-to DIR` wrote")
    merge.add_argument("dir", type=Path, nargs="+", metavar="DIR")
    rooted(merge)
    merge.set_defaults(part=_merge)


def run(arguments: argparse.Namespace) -> int:
    """Do one part. Raises UsageError."""
    return int(arguments.part(arguments))


def _merge(arguments: argparse.Namespace) -> int:
    root = root_of(arguments)
    catalogue = load_catalogue(root)
    with needing("verify"):
        from unmeta.verify import ledger
    try:
        for source in arguments.dir:
            runs = ledger.load(source)
            if not runs:
                raise UsageError(f"{source} holds no runs: it needs a folder {ledger.folder(Path())}")
            written = ledger.record(root, runs.values(), catalogue.snippets)
            print(f"{source}: {sum(len(item.snippets) for item in runs.values())} runs, {len(written)} files")
    except ledger.LedgerError as error:
        raise UsageError(str(error)) from error
    return OK
