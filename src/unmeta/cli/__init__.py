"""The `unmeta` command: one module a command, loaded when it is called.

A module of a command has `SAYS`, a line for the list of commands; `arguments(parser)`, which describes what
it takes; and `run(arguments)`, which does it and returns the exit code. One that must start fast also
has `quick(words)`, which runs plain calls without argparse and returns None for all others.
"""

from __future__ import annotations

import sys

from unmeta.cli import streams
from unmeta.cli.door import OK, UsageError

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from types import ModuleType
    from typing import NoReturn

    from _typeshed import SupportsWrite

COMMANDS = ("explain", "show", "run", "scan", "check", "new", "build", "status", "runs", "rename")
QUICK = ("explain", "show")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns 0, 1 (the answer is no: unknown, findings) or 2 (could not be done)."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        streams.prepare()
        code = _run(words)
        sys.stdout.flush()  # what cannot be printed is no success
        return code
    except UsageError as error:
        return streams.refuse(str(error))
    except BrokenPipeError:  # the reader of a pipe has gone, with what it wanted
        streams.abandon(sys.stdout)
        return OK
    except OSError as error:
        if error.filename is None:
            streams.abandon(sys.stdout)
        where = "print" if error.filename is None else f"open {error.filename}"
        return streams.refuse(f"cannot {where}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130


def _run(words: Sequence[str]) -> int:
    try:
        if list(words) == ["--version"]:
            from unmeta import __version__

            print(f"unmeta {__version__}")
            return OK
        if words and words[0] in QUICK:
            code: int | None = _module(words[0]).quick(words[1:])
            if code is not None:
                return code
        arguments = _parser(words[0] if words else "").parse_args(words)
        return int(arguments.run(arguments))
    except SystemExit as stop:  # argparse has printed what there is to say
        return stop.code if isinstance(stop.code, int) else OK


def _module(name: str) -> ModuleType:
    import importlib

    return importlib.import_module(f"unmeta.cli.{name}")


def _parser(called: str) -> argparse.ArgumentParser:
    """A parser that knows the command that is called, or else all of them."""
    import argparse

    class Parser(argparse.ArgumentParser):
        def print_help(self, file: SupportsWrite[str] | None = None) -> None:
            (file or sys.stdout).write(self.format_help())  # argparse passes over what cannot be printed

    parser = Parser(
        prog="unmeta", description="The field guide to PyTorch meta tensor errors.", allow_abbrev=False
    )
    parser.add_argument("--version", action="store_true", help="print the version")
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
