"""What differs between two recordings, in words: outcomes, messages, tracebacks. Pure functions."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from unmeta.kb.runs import Frame, Observation, Runs

BeforeAfter = tuple[tuple[str, ...], tuple[str, ...]]
"""What only the first recording has, and what only the second."""
NAMED = 3


@dataclass(frozen=True)
class Difference:
    """Runs of two recordings side by side: scripts by what changed; in `lines` only line numbers did."""

    both: int = 0
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    outcomes: Mapping[BeforeAfter, list[str]] = field(default_factory=dict)
    messages: Mapping[BeforeAfter, list[str]] = field(default_factory=dict)
    tracebacks: Mapping[BeforeAfter, list[str]] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything differs that a reader would see."""
        return bool(self.outcomes or self.messages or self.tracebacks or self.only_first or self.only_second)


def between(first: Mapping[str, Observation], second: Mapping[str, Observation]) -> Difference:
    """Compare two recordings, observations by name of the script (or of the script and its stack)."""
    outcomes: dict[BeforeAfter, list[str]] = {}
    messages: dict[BeforeAfter, list[str]] = {}
    tracebacks: dict[BeforeAfter, list[str]] = {}
    edited, lines = [], []
    common = sorted(first.keys() & second.keys())
    for name in common:
        before, after = first[name], second[name]
        if before.digest != after.digest:
            edited.append(name)
        if (before.outcome, before.note) != (after.outcome, after.note):
            outcomes.setdefault(((_ended(before),), (_ended(after),)), []).append(name)
        if change := _changed(_messages(before), _messages(after)):
            messages.setdefault(change, []).append(name)
        elif moved := _changed(_functions(before), _functions(after)):
            tracebacks.setdefault(moved, []).append(name)
        elif _frames(before) != _frames(after):
            lines.append(name)
    return Difference(
        len(common),
        tuple(sorted(first.keys() - second.keys())),
        tuple(sorted(second.keys() - first.keys())),
        tuple(edited),
        outcomes,
        messages,
        tracebacks,
        tuple(lines),
    )


def by_stack(runs: Mapping[str, Runs]) -> dict[str, Observation]:
    """All that was recorded, each observation named by its script and its stack."""
    return {
        f"{key} on {name}": observation
        for name, item in runs.items()
        for key, observation in item.snippets.items()
    }


def told(found: Difference, first: str, second: str) -> Iterator[str]:
    """The difference as lines of text."""
    counts = [
        _count(found.outcomes, "outcome"),
        _count(found.messages, "message"),
        _count(found.tracebacks, "traceback"),
    ]
    yield f"{found.both} runs in both; changed: {', '.join(counts)}; line numbers alone: {len(found.lines)}"
    for title, names in (
        (f"only in {first}", found.only_first),
        (f"only in {second}", found.only_second),
        ("script edited between", found.edited),
    ):
        if names:
            yield f"{title}: {_some(names)}"
    for title, changes in (
        ("Outcomes", found.outcomes),
        ("Messages", found.messages),
        ("Tracebacks", found.tracebacks),
    ):
        for (gone, come), scripts in sorted(changes.items(), key=lambda item: (-len(item[1]), item)):
            yield ""
            yield f"{title[:-1] if len(scripts) == 1 else title} of {_some(scripts)}"
            yield from (f"  - {text}" for text in gone)
            yield from (f"  + {text}" for text in come)


def _count(changes: Mapping[BeforeAfter, Sequence[str]], noun: str) -> str:
    count = sum(map(len, changes.values()))
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _ended(seen: Observation) -> str:
    return f"{seen.outcome} ({seen.note})" if seen.note else seen.outcome


def _messages(seen: Observation) -> list[str]:
    """What was printed, once each and in order: how often a warning comes is no difference."""
    return list(dict.fromkeys(f"{event.type}: {' '.join(event.text.split())}" for event in seen.events))


def _functions(seen: Observation) -> list[str]:
    return [f"{frame.file}: {frame.function}" for frame in _frames(seen)]


def _frames(seen: Observation) -> list[Frame]:
    return [frame for event in seen.events for raised in event.chain for frame in raised.frames]


def _changed(before: Sequence[str], after: Sequence[str]) -> BeforeAfter | None:
    if before == after:
        return None
    gone: list[str] = []
    come: list[str] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += before[a:b]
            come += after[c:d]
    return tuple(gone), tuple(come)
