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

COMMANDS = (
    "explain", "show", "run", "doctor", "scan", "mcp", "check", "new", "build", "status", "runs", "rename",
    "preview", "effect", "completion",
)  # fmt: skip
QUICK = ("explain", "show", "completion")
WELCOME = """\
unmeta finds the cause of a PyTorch meta tensor error, and the change that mends it.

  unmeta explain error.txt                  what a traceback or a log means
  python train.py 2>&1 | unmeta explain     likewise, from a pipe
  unmeta explain                            then paste, and end with Ctrl-D
  unmeta explain "model stuck on meta after loading lora"
  unmeta run train.py                       run a script, and explain it where it fails
  unmeta show to-after-dispatch             a cause, a message or a fact by its name

For example:

  $ echo "NotImplementedError: Cannot copy out of meta tensor; no data!" | unmeta explain

`unmeta --help` lists all commands.
"""


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
        if not words:
            sys.stdout.write(WELCOME)
            return OK
        if list(words) == ["--version"]:
            from unmeta import __version__

            print(f"unmeta {__version__}")
            return OK
        if words[0] not in COMMANDS and not words[0].startswith("-"):
            raise UsageError(_mistyped(words))
        if words[0] in QUICK:
            code: int | None = _module(words[0]).quick(words[1:])
            if code is not None:
                return code
        arguments = _parser(words[0]).parse_args(words)
        return int(arguments.run(arguments))
    except SystemExit as stop:  # argparse has printed what there is to say
        return stop.code if isinstance(stop.code, int) else OK


def _module(name: str) -> ModuleType:
    import importlib

    return importlib.import_module(f"unmeta.cli.{name}")


def _mistyped(words: Sequence[str]) -> str:
    """What to say about a command that there is not."""
    import os

    from unmeta.cli.lookup import nearest

    near = nearest(words[0], COMMANDS)
    if near:
        return f"no command is called {words[0]!r}; did you mean {near}?"
    if len(words) > 1 or " " in words[0] or os.path.lexists(words[0]):
        shown = words[0] if os.path.lexists(words[0]) else f'"{" ".join(words)}"'
        return f"no command is called {words[0]!r}; to look for what it says: unmeta explain {shown}"
    return f"no command is called {words[0]!r}; there are: {', '.join(COMMANDS)}"


def _parser(called: str) -> argparse.ArgumentParser:
    """A parser that knows the command that is called, or else all of them."""
    import argparse

    class Parser(argparse.ArgumentParser):
        def print_help(self, file: SupportsWrite[str] | None = None) -> None:
            (file or sys.stdout).write(self.format_help())  # argparse passes over what cannot be printed

        def error(self, message: str) -> NoReturn:
            known = called in COMMANDS
            hint = _did_you_mean(message, help_of(called) if known else self.format_help())
            raise UsageError(f"{message}{hint}; see unmeta {called + ' ' if known else ''}--help")

    parser = Parser(
        prog="unmeta", description="The field guide to PyTorch meta tensor errors.", allow_abbrev=False
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in [called] if called in COMMANDS else COMMANDS:
        module = _module(name)
        examples = getattr(module, "EXAMPLES", "")
        command = commands.add_parser(
            name,
            help=module.SAYS,
            description=module.SAYS,
            epilog=f"examples:\n{examples}" if examples else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.set_defaults(run=module.run)
        module.arguments(command)
    return parser


def help_of(name: str) -> str:
    """What `unmeta NAME --help` prints."""
    import contextlib
    import io

    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
        _parser(name).parse_args([name, "--help"])
    return shown.getvalue()


def _did_you_mean(message: str, options: str) -> str:
    """The option that a mistyped one in a message of argparse may stand for."""
    import difflib
    import re

    wrong = re.findall(r"--[a-z-]+", message) if message.startswith("unrecognized") else []
    near = difflib.get_close_matches(wrong[0], re.findall(r"--[a-z-]+", options), 1) if wrong else []
    return f" (did you mean {near[0]}?)" if near else ""


def entry_point() -> NoReturn:
    """What the console script calls."""
    sys.exit(main())
