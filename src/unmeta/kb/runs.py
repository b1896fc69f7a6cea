"""What happened when a snippet ran.

`unmeta.kb.runfiles` says how that is kept, `unmeta.kb.evidence` what of it counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

EventKind = Literal["warning", "log", "exception"]
Phase = Literal["body", "goal"]
STRICT = {"extra": "forbid", "strict": True}
"""How these are read from a file: as they are, or not at all."""
SHOWN_REPEATS = 3  # CPython prints a frame that repeats so often, then only counts
SITE_PACKAGES = "/usr/lib/python3/site-packages/"
LINKS = {
    "cause": "The above exception was the direct cause of the following exception:",
    "context": "During handling of the above exception, another exception occurred:",
}


@dataclass(frozen=True)
class Frame:
    """A stack frame; `file` is relative to site-packages or the standard library, or the snippet's name."""

    __pydantic_config__ = STRICT
    file: str
    line: int
    function: str
    code: str = ""
    library: bool = True


@dataclass(frozen=True)
class Raised:
    """One exception of a chain; `link` tells how the previous one leads to it."""

    __pydantic_config__ = STRICT
    type: str
    text: str
    frames: tuple[Frame, ...] = ()
    link: Literal["cause", "context"] | None = None


@dataclass(frozen=True)
class Event:
    """Something a run printed or raised, in order.

    `type` is the warning's category, the log's level or the exception's class (qualified by module
    unless builtin). `origin` is the logger's name or the module that warned. `chain` (exceptions
    only) is oldest first and ends with the exception itself. `count` counts like events in a row.
    """

    __pydantic_config__ = STRICT
    kind: EventKind
    type: str = ""
    text: str = ""
    phase: Phase = "body"
    origin: str = ""
    rank: int = 0
    count: int = 1
    chain: tuple[Raised, ...] = ()


Outcome = Literal[
    "passed",  # ran to its end, goal included
    "missed",  # reached the goal; an assertion failed there
    "raised",  # ended by an exception (in the goal too, unless an AssertionError of the snippet)
    "exited",  # called sys.exit() or os._exit()
    "crashed",  # the interpreter died of a signal
    "timed-out",
    "out-of-memory",
    "flooded",  # printed more than the limit
    "left-processes",  # finished, but processes of its own were still running
    "forged",  # its record holds what no recorder writes
]


@dataclass(frozen=True)
class Observation:
    """One run of one snippet.

    `seconds` is wall time after the imports, `peak_mb` growth of RSS in MB; neither is kept. `versions`
    are those the run was made with, where they are not the usual ones of its stack.
    """

    digest: str
    outcome: Outcome
    goal_reached: bool
    events: tuple[Event, ...] = ()
    output: str = ""
    note: str = ""
    seconds: float = 0.0
    peak_mb: float = 0.0
    date: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Runs:
    """All that one stack and device recorded; `snippets` by key, `versions` those that most of them had."""

    stack: str
    device: str
    versions: Mapping[str, str]
    snippets: Mapping[str, Observation]

    @property
    def name(self) -> str:
        """File name without ending: the stack, with `-cuda` where it ran on a GPU."""
        return self.stack if self.device == "cpu" else f"{self.stack}-{self.device}"


def traceback_text(event: Event, root: str = SITE_PACKAGES) -> str:
    """An exception event as CPython prints it: what a reader would paste. `root` precedes library files."""
    parts: list[str] = []
    for raised in event.chain:
        if raised.link:
            parts.append(f"\n{LINKS[raised.link]}\n")
        if raised.frames:
            parts.append("Traceback (most recent call last):")
        for frame, group in groupby(raised.frames):
            # Code made at run time is in no folder: its file is called <string> or the like.
            bare = not frame.library or frame.file.startswith("<")
            name = frame.file if bare else root + frame.file
            lines = [f'  File "{name}", line {frame.line}, in {frame.function}']
            if frame.code:
                lines.append(f"    {frame.code}")
            count = len(list(group))
            parts += lines * min(count, SHOWN_REPEATS)
            if count > SHOWN_REPEATS:
                more = count - SHOWN_REPEATS
                parts.append(f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]")
        parts.append(f"{raised.type}: {raised.text}" if raised.text else raised.type)
    return "\n".join(parts)


def printed_text(observation: Observation) -> str:
    """Everything a run printed as its user would have seen it: warnings, logs and the traceback, in order."""
    lines: list[str] = []
    for event in observation.events:
        if event.kind == "exception":
            lines.append(traceback_text(event))
        elif event.kind == "warning":
            lines.append(f"{SITE_PACKAGES}{event.origin}: {event.type}: {event.text}")
        else:
            lines.append(event.text)
    return "\n".join(lines)
