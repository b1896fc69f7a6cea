"""`unmeta scan`: look at code for what goes wrong on the meta device."""

from __future__ import annotations

import sys

from unmeta.cli.door import BAD, NO, OK, UsageError, print_json

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse

    from unmeta.scan.rules import Found

SAYS = "Look at Python code for what goes wrong on the meta device, without running it."
FORMS = ("text", "json", "sarif", "github")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files and folders")
    parser.add_argument("--format", choices=FORMS, default="text", help="how findings are printed")
    parser.add_argument("--rules", action="store_true", help="list the rules and stop")


def run(arguments: argparse.Namespace) -> int:
    """Print the findings: 1 where there are any, 2 where a file could not be looked at. Raises UsageError."""
    from unmeta.scan.files import ConfigError, config, scan, warn
    from unmeta.scan.rules import SAYS as RULES

    if arguments.rules:
        for cause, says in RULES.items():
            print(f"{cause}: {says}")
        return OK
    try:
        wanted = config(".")
        looked = scan(arguments.paths, wanted.get("exclude", ()), wanted.get("ignore", ()))
    except FileNotFoundError as error:
        raise UsageError(f"no such file or folder: {error}") from error
    except ConfigError as error:
        raise UsageError(str(error)) from error
    for word in (*looked.left_out, *looked.unread):
        warn(word)
    _print(looked.found, looked.count, arguments.format)
    if looked.found:
        return NO
    return BAD if looked.unread else OK


def _print(found: list[Found], count: int, form: str) -> None:
    from unmeta import __version__
    from unmeta.address import entry_url
    from unmeta.scan.files import github_lines, sarif

    if form == "json":
        print_json([{**vars(item), "url": entry_url(item.cause)} for item in found])
    elif form == "sarif":
        print_json(sarif(found, __version__, entry_url))
    elif form == "github":
        for line in github_lines(found):
            print(line)
    else:
        for item in found:
            print(item)
            print(f"  unmeta show {item.cause}   {entry_url(item.cause)}")
        told = f"{len(found)} finding{'' if len(found) == 1 else 's'}" if found else "nothing found"
        print(f"{told} in {count} file{'' if count == 1 else 's'}", file=sys.stderr)
