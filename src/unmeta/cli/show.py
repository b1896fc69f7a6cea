"""`unmeta show`: print an entry."""

from __future__ import annotations

import sys

from unmeta.cli.door import OK, print_json, simple
from unmeta.cli.lookup import entry

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

SAYS = "Print an entry: a cause, a message or a fact."
EXAMPLES = """\
  unmeta show to-after-dispatch      the change that mends it, the reason, advice that does not help
  unmeta show no-data-to-copy        the causes of a message, the likeliest first
  unmeta show https://unmeta.github.io/unmeta/e/to-after-dispatch/"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("id", help="the name or the address of an entry, as `unmeta explain` prints them")
    parser.add_argument("--json", action="store_true", help="print the entry as JSON")


def quick(words: Sequence[str]) -> int | None:
    """Run a plain call without argparse."""
    plain = simple(words, ("--json",))
    return _show(plain[1][0], "--json" in plain[0]) if plain and plain[1] else None


def run(arguments: argparse.Namespace) -> int:
    """Print one entry. Raises UsageError where nothing has its name."""
    return _show(arguments.id, arguments.json)


def _show(name: str, as_json: bool) -> int:
    found = entry(name)
    if as_json:
        print_json(found)
    else:
        from unmeta.cli.entry import render
        from unmeta.terminal import paper

        sys.stdout.write(render(found, paper(sys.stdout)))
    return OK
