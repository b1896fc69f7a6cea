"""`unmeta new`: start a cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unmeta.cli.checkout import load_catalogue, root_of, rooted
from unmeta.cli.door import OK, UsageError, read_paste

if TYPE_CHECKING:
    import argparse

SAYS = "Start a cause: its YAML and snippets to fill in."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("id")
    parser.add_argument("--from", dest="paste", metavar="PASTE", help="a file with the traceback, or -")
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the new files and print their paths. Raises UsageError before anything is written."""
    root = root_of(arguments)
    catalogue = load_catalogue(root)
    from unmeta.kb import scaffold

    reason = scaffold.refuse(arguments.id, catalogue)
    if reason:
        raise UsageError(reason)
    symptoms: Sequence[str] = ()
    through: Sequence[str] = ()
    if arguments.paste:
        from unmeta.match import explain
        from unmeta.match.frames import library_functions

        text = read_paste(arguments.paste)
        symptoms, through = list(explain(text)["symptoms"]), library_functions(text)
        if not symptoms:
            print("no known symptom in the paste: add kb/symptoms/<id>.yaml for its message")
    try:
        paths = scaffold.write(root, scaffold.files(arguments.id, symptoms, through))
    except FileExistsError as error:
        raise UsageError(f"{error} exists already; nothing was written") from error
    for path in paths:
        print(path.relative_to(root).as_posix())
    return OK
