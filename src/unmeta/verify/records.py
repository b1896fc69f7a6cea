"""What the processes of a run told about it, and the observation that it makes. Pure functions.

Ranks write records, one JSON object a line, over a channel that they share with the script: the text
may be anything. What the recorder never writes makes the run `forged`.
"""

from __future__ import annotations

import datetime
import math
import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, TypeAdapter, ValidationError

from unmeta.kb.runs import Event, Observation, Outcome
from unmeta.verify.probe import MAX_TEXT, Job, Paths

MAX_OUTPUT_KEPT = 4_000
MAX_TRANSCRIPT_KEPT = 6_000
MAX_EVENTS_KEPT = 200
MAX_EVENTS_OF_PROGRAM = 24
_MAX_CHAIN = 50
_MAX_LINE = 4 << 20

RecordKind = Literal["start", "event", "goal", "network", "end"]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class End(_Part):
    """How the script came to its own end."""

    outcome: Literal["passed", "missed", "raised", "exited"]
    note: Annotated[str, Field(max_length=MAX_TEXT + 100)]
    seconds: Annotated[FiniteFloat, Field(ge=0)]
    peak_mb: Annotated[FiniteFloat, Field(ge=0)]


class Record(_Part):
    """One line: `start`, `event`, `goal` (the body is done), `network` (a refused connection), `end`."""

    kind: RecordKind
    at: FiniteFloat
    event: Event | None = None
    text: Annotated[str, Field(max_length=MAX_TEXT)] = ""
    end: End | None = None


_RECORD = TypeAdapter(Record)
_ONCE = ("start", "goal", "end")


@dataclass(frozen=True)
class Heard:
    """All that came from one rank: raw bytes by channel, and the exit code (None where it was stopped)."""

    job: Job
    records: bytes = b""
    stdout: bytes = b""
    stderr: bytes = b""
    code: int | None = None


@dataclass(frozen=True)
class Result:
    """What one rank did; `at` is when it ended, as the monotonic clock says."""

    outcome: Outcome | None
    note: str
    goal_reached: bool
    events: tuple[Event, ...]
    seconds: float
    peak_mb: float
    at: float


class ForgedError(ValueError):
    """A record that no recorder wrote."""


def read(told: Heard) -> list[Record]:
    """The records of a rank, in order; a cut last line is left out. Raises ForgedError."""
    lines = told.records.split(b"\n")
    lines.pop()
    found: list[Record] = []
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if len(line) > _MAX_LINE:
            raise ForgedError(f"record {number} is too long")
        try:
            record = _RECORD.validate_json(line)
        except ValidationError as error:
            what = error.errors(include_url=False, include_input=False, include_context=False)[0]["msg"]
            raise ForgedError(f"record {number} is none: {what}") from None
        _plausible(record, number, told.job, seen)
        seen.add(record.kind)
        found.append(record)
    return found


def _plausible(record: Record, number: int, job: Job, seen: set[str]) -> None:
    if record.kind in seen and record.kind in _ONCE:
        raise ForgedError(f"record {number} is a second `{record.kind}`")
    if "end" in seen and record.kind == "event" and record.event and record.event.kind == "exception":
        raise ForgedError(f"record {number} comes after the end")
    if (record.kind == "event") != (record.event is not None) or (record.kind == "end") != (
        record.end is not None
    ):
        raise ForgedError(f"record {number} is no `{record.kind}`")
    event = record.event
    if event is None:
        return
    if event.rank != job.rank or event.count != 1 or (event.kind == "exception") != bool(event.chain):
        raise ForgedError(f"record {number} is of no event of rank {job.rank}")
    if event.phase == "goal" and "goal" not in seen:
        raise ForgedError(f"record {number} is of a goal that was not reached")
    if len(event.chain) > _MAX_CHAIN:
        raise ForgedError(f"record {number} has {len(event.chain)} exceptions")


def result(told: Heard, stopped: Outcome | None) -> Result:
    """What a rank did; `stopped` is why the parent ended the run, where it did."""
    try:
        records = read(told)
    except ForgedError as error:
        return Result("forged", str(error), False, (), 0.0, 0.0, -math.inf)
    events: list[Event] = []
    notes: list[str] = []
    for record in records:
        if record.event is not None:
            append(events, record.event)
        elif record.kind == "network":
            notes.append(f"asked the network for {record.text}")
    at, last = math.inf, records[-1].at if records else 0.0
    began = next((record.at for record in records if record.kind == "start"), last)
    end = next((record.end for record in records if record.end is not None), None)
    outcome: Outcome | None = None
    seconds, peak = round(last - began, 3), 0.0
    if end is not None:
        outcome, seconds, peak, at = end.outcome, end.seconds, end.peak_mb, last
        notes.append(end.note)
    if stopped in ("flooded", "left-processes"):
        # The script may have come to its end before anyone looked.
        outcome = stopped
    elif end is None and stopped:
        outcome = stopped
        notes.append(where(told))
    elif end is None and told.code is not None and told.code >= 0:
        outcome, at = "exited", last
        notes.append(f"os._exit({told.code})")
    elif end is None and told.code is not None:
        outcome, at = "crashed", last
        notes.append(f"{_signal(told.code)} {where(told)}".rstrip())
    note = "; ".join(dict.fromkeys(filter(None, notes)))
    reached = any(record.kind == "goal" for record in records)
    return Result(outcome, note, reached, tuple(events), seconds, peak, at)


def _signal(code: int) -> str:
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def where(told: Heard) -> str:
    """The line of the script that a dump of the interpreter names, for a process that did not end."""
    dump = told.stderr.decode("utf-8", "replace")
    found = re.findall(rf'File "{re.escape(told.job.shown)}", line ([0-9]{{1,7}})', dump)
    return f"at line {found[0]}" if found else ""


def append(events: list[Event], event: Event) -> None:
    """Add an event; a repeat of the one before counts up, and a flood of them is cut."""
    if events and replace(events[-1], count=1) == event:
        events[-1] = replace(events[-1], count=events[-1].count + 1)
    elif len(events) < MAX_EVENTS_KEPT:
        events.append(event)


def merged(
    digest: str, told: Sequence[Heard], stopped: Outcome | None, note: str, peak: float
) -> Observation:
    """One observation of all ranks: the rank that failed first decides how the run ended.

    What several ranks print alike is told once, by the lowest. Another exception of a later rank
    follows from the first (a peer is gone) and is left out. `note` is what the parent says, `peak` the
    memory in MB that it saw.
    """
    results = [result(one, stopped) for one in told]
    failed = [item for item in results if item.outcome not in (None, "passed")]
    first = min(failed, key=lambda item: item.at) if failed else results[0]
    decisive = {(event.type, event.text) for event in first.events if event.kind == "exception"}
    events: list[Event] = []
    seen: set[tuple[str, str, str]] = set()
    for item in results:
        own: set[tuple[str, str, str]] = set()
        for event in item.events:
            mark = (event.kind, event.type, event.text)
            if mark in seen or (event.kind == "exception" and item is not first and mark[1:] not in decisive):
                continue
            own.add(mark)
            events.append(event)
        seen |= own
    if told[0].job.program and len(events) > MAX_EVENTS_OF_PROGRAM:
        half = MAX_EVENTS_OF_PROGRAM // 2
        events = events[:half] + events[-half:]
    outcome: Outcome = first.outcome or stopped or "crashed"
    ended = [item for item in results if item.outcome is not None]
    notes = [note, *(item.note for item in [first, *results])]
    return Observation(
        digest=digest,
        outcome=outcome,
        goal_reached=all(item.goal_reached for item in results)
        if outcome == "passed"
        else first.goal_reached,
        events=tuple(events),
        output=_output(told[0]),
        note="; ".join(dict.fromkeys(filter(None, notes))),
        seconds=max((item.seconds for item in ended), default=0.0),
        peak_mb=round(max([peak if stopped else 0.0, *(item.peak_mb for item in results)]), 1),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )


def _output(told: Heard) -> str:
    """What the first rank printed: of a snippet the start, of a program both ends."""
    text = Paths(told.job).replaced(told.stdout.decode("utf-8", "replace"))
    if not told.job.program:
        return text if len(text) <= MAX_OUTPUT_KEPT else text[:MAX_OUTPUT_KEPT] + "…"
    if len(text) <= MAX_TRANSCRIPT_KEPT:
        return text
    head, tail = MAX_TRANSCRIPT_KEPT // 4, MAX_TRANSCRIPT_KEPT * 3 // 4
    return f"{text[:head]}\n… {len(text) - head - tail:,} characters left out …\n{text[-tail:]}"
