"""`unmeta explain`: rank the causes of a paste."""

from __future__ import annotations

import sys

from unmeta.cli.door import NO, OK, UsageError, print_json, read_paste, simple

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

SAYS = "Rank the causes of a pasted traceback, log or sentence."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", nargs="?", default="-", help="a file, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.add_argument("--ask", action="store_true", help="ask the open questions and rank again")


def quick(words: Sequence[str]) -> int | None:
    """Run a plain call without argparse."""
    plain = simple(words, ("--json", "--ask"))
    if plain is None:
        return None
    flags, files = plain
    return _explain(files[0] if files else "-", "--json" in flags, "--ask" in flags)


def run(arguments: argparse.Namespace) -> int:
    """Explain a file, or standard input. Raises UsageError."""
    return _explain(arguments.file, arguments.json, arguments.ask)


def _explain(name: str, as_json: bool, ask: bool) -> int:
    from unmeta.match import explain

    text = read_paste(name)
    try:
        answer = explain(text)
    except (FileNotFoundError, ImportError, ValueError) as error:
        raise UsageError(f"the index cannot be read: {error}") from error
    if ask:
        from unmeta.cli.asking import ask_back

        answer = ask_back(text, answer)
    if as_json:
        print_json(answer.to_dict())
    else:
        from unmeta.match.shown import render
        from unmeta.terminal import paper

        sys.stdout.write(render(answer, paper(sys.stdout)))
    return OK if answer["known"] else NO
