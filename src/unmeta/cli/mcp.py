"""`unmeta mcp`: serve assistants over standard input and output."""

from __future__ import annotations

from unmeta.cli.door import OK, UsageError

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse

SAYS = "Serve assistants (Model Context Protocol, over standard input and output)."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "--skill", action="store_true", help="print a skill file for agents that have no server, and stop"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client leaves. Raises UsageError without the SDK."""
    if arguments.skill:
        from unmeta.assist.answers import skill

        print(skill(), end="")
        return OK
    from unmeta.assist.server import server

    try:
        made = server()
    except ImportError as error:
        raise UsageError("the SDK is not installed: pip install 'unmeta[mcp]'") from error
    made.run("stdio")
    return OK
