"""The standard streams as commands need them: open, and able to print any text in any encoding."""

from __future__ import annotations

import codecs
import os
import sys

from unmeta.cli.door import BAD, UsageError
from unmeta.terminal import clean

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from typing import TextIO

PLAIN = {
    "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "≈": "~", "×": "x", "…": "...", "·": "-", "–": "-", "—": "-",
    "‘": "'", "’": "'", "“": '"', "”": '"', "✓": "yes", "✗": "no", "└": "`", "├": "|", "│": "|", "─": "-",
}  # fmt: skip
"""What is printed where an encoding lacks a sign; for all others a question mark stands."""


def prepare() -> None:
    """Make the streams fit to be written to. Raises UsageError where standard output is closed."""
    codecs.register_error("unmeta-plain", plain)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:
        raise UsageError("standard output is closed: nothing can be printed")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="unmeta-plain")


def plain(error: UnicodeError) -> tuple[str, int]:
    """What is printed for signs that an encoding lacks, as the handler that `codecs` asks for."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


def refuse(says: str) -> int:
    """Say what keeps a command from being done; its exit code."""
    try:
        print(f"unmeta: {clean(says)}", file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)
    return BAD


def abandon(stream: TextIO | None) -> None:
    """Let what is left in a stream go nowhere, so that Python does not complain at its end."""
    try:
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # no file stands behind it
        return
