"""`unmeta runs`: what was recorded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from unmeta.cli.checkout import at_commit, load_catalogue, needing, root_of, rooted
from unmeta.cli.door import NO, OK, UsageError

if TYPE_CHECKING:
    import argparse

    from unmeta.kb.runs import Observation, Runs

SAYS = "Merge or drop recorded runs, or say what differs between two recordings."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parts = parser.add_subparsers(required=True, metavar="PART")
    merge = parts.add_parser("merge", help="add the runs that `pytest … --record --record-to DIR` wrote")
    merge.add_argument("dir", type=Path, nargs="+", metavar="DIR")
    rooted(merge)
    merge.set_defaults(part=_merge)
    diff = parts.add_parser("diff", help="what differs between two stacks, commits or checkouts")
    diff.add_argument("first", help="a stack, a folder or a commit")
    diff.add_argument("second", nargs="?", default=".", help="likewise (default: the files as they are here)")
    diff.add_argument("--common", action="store_true", help="only scripts that ran in both")
    rooted(diff)
    diff.set_defaults(part=_diff)

    drop = parts.add_parser("drop", help="forget the runs of a stack that is gone")
    drop.add_argument("stack", help="the name of its runs, with -cuda where they were made on a GPU")
    rooted(drop)
    drop.set_defaults(part=_drop)


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
            written = ledger.record(root, runs.values(), ledger.known(catalogue))
            print(f"{source}: {sum(len(item.snippets) for item in runs.values())} runs, {len(written)} files")
    except ledger.LedgerError as error:
        raise UsageError(str(error)) from error
    return OK


def _drop(arguments: argparse.Namespace) -> int:
    root = root_of(arguments)
    with needing("verify"):
        from unmeta.verify import ledger
    try:
        written = ledger.drop(root, arguments.stack)
    except ledger.LedgerError as error:
        raise UsageError(str(error)) from error
    print(f"{arguments.stack}: dropped from {len(written)} files")
    return OK


def _diff(arguments: argparse.Namespace) -> int:
    with needing("kb"):
        from unmeta.kb.evidence import EvidenceError
        from unmeta.verify.difference import between, told
    root = root_of(arguments)
    try:
        both = _recordings(root, arguments.first, arguments.second)
        if arguments.common:
            common = both[0].keys() & both[1].keys()
            both = [{name: seen for name, seen in one.items() if name in common} for one in both]
        found = between(*both)
    except EvidenceError as error:
        raise UsageError(str(error)) from error
    names = ("the files here" if name == "." else name for name in (arguments.first, arguments.second))
    for line in told(found, *names):
        print(line)
    return NO if found else OK


def _recordings(root: Path, first: str, second: str) -> list[Mapping[str, Observation]]:
    """What the two names stand for: two stacks of this checkout, or all stacks of two trees."""
    from unmeta.kb import evidence
    from unmeta.verify.difference import by_stack

    here = evidence.load(root)
    if first in here and second in here:
        return [here[first].snippets, here[second].snippets]
    return [by_stack(here if name == "." else _tree(root, name, here)) for name in (first, second)]


def _tree(root: Path, name: str, here: Mapping[str, Runs]) -> Mapping[str, Runs]:
    """The runs of another folder, or of a commit of this repository."""
    from unmeta.kb import evidence

    if Path(name).is_dir():
        return evidence.load(Path(name))
    try:
        with at_commit(root, name, evidence.FOLDER) as folder:
            return evidence.load(folder)
    except UsageError as error:
        known = ", ".join(here) or "none"
        raise UsageError(f"{name!r} is no stack that ran (known: {known}), no folder, and {error}") from error
