"""`unmeta build`: write the generated pages, notebooks and feeds to a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from unmeta.cli.checkout import load_catalogue, needing, root_of, rooted
from unmeta.cli.door import OK, UsageError

if TYPE_CHECKING:
    import argparse

SAYS = "Write the generated pages, notebooks and feeds to a folder."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("dir", type=Path)
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the site's source. Raises UsageError."""
    root = root_of(arguments)
    load_catalogue(root)
    with needing("docs"):
        from unmeta.site.build import write
    try:
        count = write(root, arguments.dir)
    except ValueError as error:
        raise UsageError(str(error)) from error
    print(f"{count} files in {arguments.dir}")
    return OK
