"""What a terminal takes: a width, colours where they are wanted, and no character that would steer it.

Knows no room, and every room may use it. Standard library only, and little of that.
"""

from __future__ import annotations

import os
import re
import textwrap

TYPE_CHECKING = False  # typing takes longer to import than most pastes take to explain
if TYPE_CHECKING:
    from typing import Any, Literal, TextIO

    Style = Literal["title", "head", "good", "bad", "faint", "mark"]

WIDTH = 88  # where nobody says how wide the paper is
NARROW, WIDE = 40, 110  # text outside these is hard to read
STEERING = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
"""Characters that move a cursor, colour, hide or turn round what stands beside them."""
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CODES = {"title": "1", "head": "1;36", "bad": "31", "good": "32", "faint": "2", "mark": "1;33"}


class Paper:
    """What text is written on: so many columns, with colours or without."""

    __slots__ = ("coloured", "width")

    def __init__(self, width: int = WIDTH, coloured: bool = False) -> None:
        self.width, self.coloured = width, coloured

    def style(self, kind: Style, text: str) -> str:
        """The text in the colour of its kind."""
        return f"\x1b[{_CODES[kind]}m{text}\x1b[0m" if self.coloured else text

    def fill(self, text: str, first: str = "", then: str | None = None) -> str:
        """The text as lines no wider than the paper; words are never broken."""
        return textwrap.fill(
            text,
            self.width,
            initial_indent=first,
            subsequent_indent=first if then is None else then,
            break_on_hyphens=False,
            break_long_words=False,
        )


def paper(stream: TextIO) -> Paper:
    """The paper that a stream is: a terminal's width, its colours unless NO_COLOR stands against them.

    FORCE_COLOR asks for colours where no terminal is, COLUMNS for a width.
    """
    terminal = stream.isatty()
    forced = os.environ.get("FORCE_COLOR", "") not in ("", "0")
    coloured = not os.environ.get("NO_COLOR") and (forced or (terminal and os.environ.get("TERM") != "dumb"))
    return Paper(_width(stream, terminal), coloured)


def _width(stream: TextIO, terminal: bool) -> int:
    wanted = os.environ.get("COLUMNS", "")
    columns = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 5 else 0
    if not columns and terminal:
        try:
            columns = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):  # a stream that only says it is a terminal
            columns = 0
    return min(max(columns, NARROW), WIDE) if columns else WIDTH


def clean(text: str) -> str:
    """The text without sequences and characters that steer a terminal or turn its reading direction."""
    return STEERING.sub("", _ESCAPE.sub("", text))


def cleaned(value: Any) -> Any:
    """Plain data with every text in it clean."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: cleaned(item) for key, item in value.items()}
    return [cleaned(item) for item in value] if isinstance(value, list) else value
