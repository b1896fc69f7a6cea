"""What the fit learnt as text: which causes a feature speaks for or against, and how much.

The index goes to every reader of the site, and numbers in JSON take more room than they are worth.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

BASE = 40  # the character that stands for 0
STEP = 10  # points are counted in this step; none of them is known any better
NONE = 45  # the character of a weight, after BASE, that stands for 0 points


def coarse(points: float) -> int:
    """The nearest multiple of STEP that can be packed."""
    return STEP * max(-NONE, min(NONE - 5, round(points / STEP)))


def pack(learnt: Mapping[str, Mapping[int, int]]) -> str:
    """Points by place of the cause for each feature, one a line; points are multiples of STEP.

    Lines are sorted, and each begins with the number of characters that it shares with the one before.
    """
    lines, last = [], ""
    for feature, points in sorted(learnt.items()):
        share = 0
        while share < min(len(last), len(feature), 9) and last[share] == feature[share]:
            share += 1
        pairs = (chr(BASE + at) + chr(BASE + NONE + value // STEP) for at, value in sorted(points.items()))
        lines.append(f"{share}{feature[share:]}\t" + "".join(pairs))
        last = feature
    return "\n".join(lines)


def unpack(text: str) -> dict[str, str]:
    """The packed posting of each feature."""
    found, last = {}, ""
    for line in text.split("\n") if text else ():
        feature, _, posting = line.partition("\t")
        last = last[: int(feature[0])] + feature[1:]
        found[last] = posting
    return found


def points(posting: str) -> list[tuple[int, int]]:
    """(place of the cause, points) of a packed posting."""
    return [
        (ord(posting[at]) - BASE, STEP * (ord(posting[at + 1]) - BASE - NONE))
        for at in range(0, len(posting), 2)
    ]
