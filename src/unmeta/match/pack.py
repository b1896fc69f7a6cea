"""Postings as text: which causes a key speaks for, and how much, in two characters a cause.

The index goes to every reader of the site, and numbers in JSON take more room than they are worth.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BASE = 40  # the character that stands for 0
STEP = 4  # points are counted in this step; none of them is known any better


def coarse(points: float) -> int:
    """The nearest multiple of STEP."""
    return STEP * round(points / STEP)


def pack(postings: Mapping[str, list[int]]) -> str:
    """Postings [cause, points, …] by key, a key without blanks a line; points are multiples of STEP."""
    lines = []
    for key, posting in sorted(postings.items()):
        pairs = zip(posting[::2], posting[1::2], strict=True)
        lines.append(f"{key} " + "".join(chr(BASE + at) + chr(BASE + points // STEP) for at, points in pairs))
    return "\n".join(lines)


def unpack(text: str) -> dict[str, str]:
    """The packed posting of each key."""
    return dict(line.split(" ") for line in text.split("\n")) if text else {}


def tally(table: Mapping[str, str], keys: Iterable[str]) -> dict[int, int]:
    """Sum of points by cause for all keys."""
    points: dict[int, int] = {}
    for key in keys:
        posting = table.get(key)
        if posting:
            for at in range(0, len(posting), 2):
                cause = ord(posting[at]) - BASE
                points[cause] = points.get(cause, 0) + (ord(posting[at + 1]) - BASE) * STEP
    return points
