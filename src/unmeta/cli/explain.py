"""`unmeta explain`: rank the causes of a paste."""

from __future__ import annotations

import os
import sys

from unmeta.cli.door import NO, OK, UsageError, print_json, read_paste, simple

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

SAYS = "Rank the causes of a pasted traceback, log or sentence."
EXAMPLES = """\
  unmeta explain error.txt
  python train.py 2>&1 | unmeta explain
  unmeta explain                     then paste, and end with Ctrl-D
  unmeta explain "model stuck on meta after loading lora"
  unmeta explain --ask error.txt     answer the open questions one by one"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "what", nargs="*", metavar="FILE | WORDS", help="a file, - for standard input (default), or words"
    )
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.add_argument("--ask", action="store_true", help="ask the open questions and rank again")


def quick(words: Sequence[str]) -> int | None:
    """Run a plain call without argparse."""
    plain = simple(words, ("--json", "--ask"), most=99)
    if plain is None:
        return None
    flags, what = plain
    return _explain(what, "--json" in flags, "--ask" in flags)


def run(arguments: argparse.Namespace) -> int:
    """Explain a file, standard input, or words. Raises UsageError."""
    return _explain(arguments.what, arguments.json, arguments.ask)


def text_of(what: Sequence[str]) -> str:
    """The text that is meant: of a file or standard input, or the words themselves.

    Raises UsageError where it cannot be read.
    """
    if not what:
        return read_paste("-")
    name = what[0]
    if len(what) > 1 or (name != "-" and any(sign in name for sign in " \n") and not os.path.lexists(name)):
        return " ".join(what)
    try:
        return read_paste(name)
    except UsageError as error:
        if name == "-" or os.path.lexists(name) or os.sep in name or "." in name:
            raise
        raise UsageError(f'{error}; to look for words, give several: unmeta explain "{name} …"') from error


def _explain(what: Sequence[str], as_json: bool, ask: bool) -> int:
    from unmeta.match import explain

    text = text_of(what)
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
