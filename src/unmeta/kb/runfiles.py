"""The files of `kb/runs`: one for each entry, equal observations once with the stacks that saw them.

Of each snippet all that was printed comes first, every event once; then who saw which of it.

    kb/runs/<cause>.json                   snippets/<cause>/*.py, but for the next line
    kb/runs/<cause>/broken-<face>.json     snippets/<cause>/broken-<face>.py
    kb/runs/facts/<fact>.json              snippets/facts/<fact>.py
    kb/runs/programs/<cause>/<name>.json   programs/<cause>/<name>, and <name>/repaired
    kb/runs/_versions.json                 what the short names of sets of versions stand for

What a face prints has a file of its own, for tracebacks are nearly all of a file, and a file stays small
enough to be reviewed (`SMALL_FILE`; `unmeta check` says where one is not).

Written by machines, read as if by anybody: what is not exactly of this shape is refused with its place.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import date
from typing import Annotated, Any

import yaml
from annotated_types import Len
from pydantic import StringConstraints, TypeAdapter, ValidationError

from unmeta.kb.model import Id, Release
from unmeta.kb.runs import STRICT, Event, Observation, Outcome
from unmeta.terminal import STEERING

MAX_FILE = 1 << 20
"""What is read at all, in bytes."""
SMALL_FILE = 120_000
"""What `unmeta check` lets pass, in bytes."""
FACTS, PROGRAMS = "facts", "programs"
FACE, REPAIRED = "broken-", "/repaired"
VERSIONS = "_versions.json"
"""No entry can be called so: ids begin with a letter."""

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12}$")]
SetName = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}$")]
Day = Annotated[str, StringConstraints(pattern=r"^(\d{4}-\d\d-\d\d)?$")]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,100}(/repaired)?$")]


class RunsFileError(ValueError):
    """Not a runs file; the text says at which place, `line` (from 1) in which line."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Kept:
    """What several runs showed alike.

    `seen` is the day of each run by the name of its stack (see `Runs.name`), `events` what they printed,
    as places in the snippet's list; `versions` names the set of versions of those that were made with
    another one than the file says.
    """

    __pydantic_config__ = STRICT
    digest: Digest
    outcome: Outcome
    seen: Annotated[dict[Id, Day], Len(1)]
    goal_reached: bool = False
    events: tuple[int, ...] = ()
    output: str = ""
    note: str = ""
    versions: dict[Id, SetName] = field(default_factory=dict)


@dataclass(frozen=True)
class Account:
    """All that the runs of one snippet printed or raised, and the runs."""

    __pydantic_config__ = STRICT
    runs: Annotated[tuple[Kept, ...], Len(1)]
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class RunsFile:
    """One file: the sets of versions that its stacks had, and what each snippet did."""

    __pydantic_config__ = STRICT
    stacks: dict[Id, SetName]
    snippets: Annotated[dict[Name, Account], Len(1)]


Sets = Mapping[str, Mapping[str, str]]
"""Release by package, by the short name of the set."""
Sightings = Mapping[str, Mapping[str, Observation]]
"""Observations by snippet and by name of their stack, each with its date and all its versions."""

_FILE = TypeAdapter(RunsFile)
_SETS = TypeAdapter(dict[SetName, dict[Id, Release]])
_OBSERVATION = TypeAdapter(Observation)


def path_of(key: str) -> tuple[str, str]:
    """The file that holds a snippet, from `kb/runs`, and what the snippet is called there."""
    owner, _, name = key.partition("/")
    if owner == FACTS:
        return f"{FACTS}/{name.removesuffix('.py')}.json", name
    if owner == PROGRAMS:
        cause, _, name = name.partition("/")
        return f"{PROGRAMS}/{cause}/{name.removesuffix(REPAIRED)}.json", name
    if name.startswith(FACE):
        return f"{owner}/{name.removesuffix('.py')}.json", name
    return f"{owner}.json", name


def key_of(path: str, name: str) -> str:
    """The key of a snippet, from the file that holds it and its name there."""
    folder, _, stem = path.removesuffix(".json").rpartition("/")
    return f"{folder or stem}/{name}"


def set_name(versions: Mapping[str, str]) -> str:
    """The short name of a set of versions: eight hex digits of what it holds."""
    return hashlib.sha256(json.dumps(dict(versions), sort_keys=True).encode()).hexdigest()[:8]


def parse(text: str, sets: Sets) -> Sightings:
    """Read one file. Raises RunsFileError where anything is not as `render` writes it."""
    file: RunsFile = _validated(_FILE, text)
    for place, problem in _implausible(file):
        raise _at(place, text, problem)
    found: dict[str, dict[str, Observation]] = {}
    for name, told in file.snippets.items():
        by_stack = found.setdefault(name, {})
        events = tuple(map(_whole, told.events))
        for number, kept in enumerate(told.runs):
            for stack, day in kept.seen.items():
                place = ("snippets", name, "runs", number, "seen", stack)
                if stack in by_stack:
                    raise _at(place, text, "a stack that stands in another run as well")
                versions = sets.get(kept.versions.get(stack) or file.stacks.get(stack, ""))
                if versions is None:
                    raise _at(place, text, f"no versions of this stack, see {VERSIONS}")
                by_stack[stack] = Observation(
                    kept.digest,
                    kept.outcome,
                    kept.goal_reached,
                    tuple(events[at] for at in kept.events),
                    kept.output,
                    kept.note,
                    date=day,
                    versions=versions,
                )
    return found


def parse_sets(text: str) -> Sets:
    """Read the sets of versions. Raises RunsFileError where they are not as `render_sets` writes them."""
    sets: Sets = _validated(_SETS, text)
    for name, versions in sets.items():
        if set_name(versions) != name:
            raise _at((name,), text, f"these versions are called {set_name(versions)}")
    return sets


def render(sightings: Sightings) -> str:
    """The text of one file: the same for the same observations, in whatever order they were made."""
    stacks = _usual_sets(sightings)
    snippets = {name: _told(sightings[name], stacks) for name in sorted(sightings)}
    return _written({"stacks": dict(sorted(stacks.items())), "snippets": snippets})


def render_sets(sets: Sets) -> str:
    """The text of the file of sets."""
    plain = {name: dict(sorted(sets[name].items())) for name in sorted(sets)}
    return _written(plain)


def to_plain(observation: Observation) -> dict[str, Any]:
    """One observation as plain data, as one process hands it to another."""
    plain: dict[str, Any] = json.loads(_OBSERVATION.dump_json(observation))
    return plain


def from_plain(data: Any) -> Observation:
    """The observation again. Raises RunsFileError where it is none."""
    observation: Observation = _validated(_OBSERVATION, json.dumps(data))
    return observation


def _usual_sets(sightings: Sightings) -> dict[str, str]:
    """For every stack the set of versions that most of its runs had."""
    counts: dict[str, Counter[str]] = {}
    for by_stack in sightings.values():
        for stack, observation in by_stack.items():
            counts.setdefault(stack, Counter())[set_name(observation.versions)] += 1
    return {
        stack: min(count, key=lambda name: (-count[name], name)) for stack, count in sorted(counts.items())
    }


def _told(by_stack: Mapping[str, Observation], stacks: Mapping[str, str]) -> dict[str, Any]:
    """The runs of one snippet, equal ones together, in the order of the first stack that saw them."""
    groups: dict[tuple[Any, ...], list[str]] = {}
    for stack, seen in sorted(by_stack.items()):
        shown = (seen.digest, seen.outcome, seen.goal_reached, seen.events, seen.output, seen.note)
        groups.setdefault(shown, []).append(stack)
    events = list(dict.fromkeys(event for names in groups.values() for event in by_stack[names[0]].events))
    places = {event: at for at, event in enumerate(events)}
    runs = []
    for names in groups.values():
        seen = by_stack[names[0]]
        sets = {stack: set_name(by_stack[stack].versions) for stack in names}
        kept = Kept(
            seen.digest,
            seen.outcome,
            {stack: by_stack[stack].date[:10] for stack in names},
            seen.goal_reached,
            tuple(places[event] for event in seen.events),
            seen.output,
            seen.note,
            {stack: name for stack, name in sets.items() if name != stacks[stack]},
        )
        runs.append(_lean(kept))
    return {"events": [_lean(event) for event in events], "runs": runs} if events else {"runs": runs}


def _lean(item: Any) -> dict[str, Any]:
    """A dataclass as JSON without what is its default; an exception's type and text stand in its chain."""
    plain: dict[str, Any] = {}
    for part in fields(item):
        value = getattr(item, part.name)
        if value == part.default or value == {}:
            continue
        listed = isinstance(value, tuple) and is_dataclass(value[0])
        plain[part.name] = [_lean(one) for one in value] if listed else value
    if isinstance(item, Event) and item == _whole(replace(item, type="", text="")):
        plain.pop("type", None)
        plain.pop("text", None)
    return plain


def _whole(event: Event) -> Event:
    """An event as it was seen."""
    if not event.chain or event.type:
        return event
    return replace(event, type=event.chain[-1].type, text=event.chain[-1].text)


def _written(value: Any) -> str:
    """JSON without characters that a reviewer does not see, or that are not text at all."""
    rows = _laid_out(value).encode("utf-8", "replace").decode().split("\n")
    return "\n".join(STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", row) for row in rows) + "\n"


def _laid_out(value: Any, indent: str = "") -> str:
    """JSON with a frame, or whatever else holds no lists and mappings, in one line: so a diff is read."""
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if not any(isinstance(item, (dict, list)) for item in inside):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + " "
    rows = [_laid_out(item, inner) for item in inside]
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}]"
    named = [f"{inner}{json.dumps(key)}: {row}" for key, row in zip(value, rows, strict=True)]
    return "{\n" + ",\n".join(named) + f"\n{indent}}}"


def _validated(shape: TypeAdapter[Any], text: str) -> Any:
    try:
        return shape.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise _at(first["loc"], text, first["msg"]) from None


def _implausible(file: RunsFile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Numbers and days that no run has."""
    for name, told in file.snippets.items():
        place = ("snippets", name)
        used = {at for kept in told.runs for at in kept.events}
        if used != set(range(len(told.events))):
            yield (*place, "events"), "every event is of a run, and every run names events of this list"
        for number, kept in enumerate(told.runs):
            for stack, day in kept.seen.items():
                if not _is_day(day):
                    yield (*place, "runs", number, "seen", stack), f"{day!r} is no day"
        for at, event in enumerate(told.events):
            if event.count < 1 or event.rank < 0:
                yield (*place, "events", at), "a count is at least 1, a rank at least 0"
            if (event.kind == "exception") != bool(event.chain):
                yield (*place, "events", at), "an exception has a chain, and nothing else has"
            if any(frame.line < 0 for raised in event.chain for frame in raised.frames):
                yield (*place, "events", at, "chain"), "a line is at least 0"


def _is_day(text: str) -> bool:
    try:
        return not text or bool(date.fromisoformat(text))
    except ValueError:
        return False


def _at(place: tuple[str | int, ...], text: str, message: str) -> RunsFileError:
    """The error at a place of a file: in words and, as JSON is YAML as well, by its line."""
    said = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).lstrip(".")
    return RunsFileError(f"{said}: {message}" if said else message, _line(place, text))


def _line(place: tuple[str | int, ...], text: str) -> int:
    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError):
        return 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            inner = next((value for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            inner = node.value[part]
        else:
            break
        if inner is None:
            break
        node = inner
    return int(node.start_mark.line) + 1 if node is not None else 1
