"""The `unmeta` command: one module a command, loaded when it is called.

A module of a command has `SAYS`, a line for the list of commands; `arguments(parser)`, which describes what
it takes; and `run(arguments)`, which does it and returns the exit code. One that must start fast also
has `quick(words)`, which runs plain calls without argparse and returns None for all others.
"""

from __future__ import annotations

import os
import sys

from unmeta.cli.door import BAD, OK, UsageError

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from types import ModuleType
    from typing import NoReturn

COMMANDS = ("explain", "show", "check", "new", "build", "status", "runs")
QUICK = ("explain", "show")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns 0, 1 (the answer is no: unknown, findings) or 2 (could not be done)."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if words and words[0] in QUICK:
            code: int | None = _module(words[0]).quick(words[1:])
            if code is not None:
                return code
        arguments = _parser(words[0] if words else "").parse_args(words)
        return int(arguments.run(arguments))
    except UsageError as error:
        print(f"unmeta: {error}", file=sys.stderr)
        return BAD
    except BrokenPipeError:
        # The reader of a pipe has gone; leave quietly and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return 130


def _module(name: str) -> ModuleType:
    import importlib

    return importlib.import_module(f"unmeta.cli.{name}")


def _parser(called: str) -> argparse.ArgumentParser:
    """A parser that knows the command that is called, or else all of them."""
    import argparse

    from unmeta import __version__

    parser = argparse.ArgumentParser(
        prog="unmeta", description="The field guide to PyTorch meta tensor errors.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"unmeta {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in [called] if called in COMMANDS else COMMANDS:
        module = _module(name)
        command = commands.add_parser(name, help=module.SAYS, description=module.SAYS, allow_abbrev=False)
        command.set_defaults(run=module.run)
        module.arguments(command)
    return parser


def entry_point() -> NoReturn:
    """What the console script calls."""
    sys.exit(main())
