"""`unmeta status`: count the entries and their proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unmeta.cli.checkout import load_catalogue, needing, root_of, rooted
from unmeta.cli.door import OK, UsageError, print_json

if TYPE_CHECKING:
    import argparse

SAYS = "Count the entries and their proofs."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the counts. Raises UsageError."""
    root = root_of(arguments)
    catalogue = load_catalogue(root)
    with needing("verify"):
        from unmeta.verify import ledger
    try:
        counts = ledger.status(catalogue, ledger.load(root))
    except ledger.LedgerError as error:
        raise UsageError(str(error)) from error
    if arguments.json:
        print_json(counts)
    else:
        for name, count in counts.items():
            print(f"{name:10} {count}")
    return OK
