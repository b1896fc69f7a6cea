"""What happened: observations of snippets, as `kb/runs/<stack>[-cuda].json` keeps them.

Written by machines only (`unmeta.verify`); read by the judge, the matcher's compiler and the site.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any, Literal

EventKind = Literal["warning", "log", "exception"]
Phase = Literal["body", "goal"]
SHOWN_REPEATS = 3  # CPython prints a frame that repeats so often, then only counts
SITE_PACKAGES = "/usr/lib/python3/site-packages/"
LINKS = {
    "cause": "The above exception was the direct cause of the following exception:",
    "context": "During handling of the above exception, another exception occurred:",
}


@dataclass(frozen=True)
class Frame:
    """A stack frame; `file` is relative to site-packages or the standard library, or the snippet's name."""

    file: str
    line: int
    function: str
    code: str = ""
    library: bool = True


@dataclass(frozen=True)
class Raised:
    """One exception of a chain; `link` tells how the previous one leads to it."""

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

    kind: EventKind
    type: str
    text: str
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
]


@dataclass(frozen=True)
class Observation:
    """One run of one snippet. `seconds` is wall time after the imports, `peak_mb` growth of RSS in MB."""

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
    """All that one stack and device recorded; `snippets` by key."""

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


def to_json(runs: Runs) -> str:
    """The runs file: sorted, one value a line, defaults left out so that diffs stay small."""

    def lean(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: lean(v) for k, v in value.items() if v not in ("", (), [], {}, None)}
        if isinstance(value, (list, tuple)):
            return [lean(item) for item in value]
        return value

    data = lean(asdict(runs))
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def from_json(text: str) -> Runs:
    """Read a runs file. Raises ValueError (with what is wrong) where it is not one."""
    try:
        data = json.loads(text)
        return Runs(
            stack=data["stack"],
            device=data["device"],
            versions=data["versions"],
            snippets={key: _observation(item) for key, item in data.get("snippets", {}).items()},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a runs file: {error!r}") from error


def _observation(data: dict[str, Any]) -> Observation:
    events = tuple(
        Event(**{"text": "", **event, "chain": tuple(_raised(item) for item in event.get("chain", ()))})
        for event in data.get("events", ())
    )
    return Observation(**{**data, "events": events})


def _raised(data: dict[str, Any]) -> Raised:
    frames = tuple(Frame(**frame) for frame in data.get("frames", ()))
    return Raised(**{"text": "", **data, "frames": frames})
