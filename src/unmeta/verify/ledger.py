"""The runs of a checkout: record, merge, and count what they prove.

A run is kept as it is unless what it shows has changed, so that a recording leaves no noise in the history.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from unmeta.kb import evidence
from unmeta.kb.evidence import EvidenceError, mismatches, moved, versions_of
from unmeta.kb.load import Catalogue
from unmeta.kb.model import Stack, inside
from unmeta.kb.runfiles import VERSIONS, path_of, render, render_sets, set_name
from unmeta.kb.runs import Observation, Runs
from unmeta.kb.snippets import Case, Role
from unmeta.verify.judge import State, Verdict, judge, obstacle

Cells = Mapping[tuple[str, str], Verdict]
"""Verdicts by snippet key and name of the runs."""


class LedgerError(ValueError):
    """The runs cannot be read or written, or this machine fits no stack; the text says what to do."""


def folder(root: Path) -> Path:
    """Where the runs of a catalogue lie."""
    return root / evidence.FOLDER


def load(root: Path) -> dict[str, Runs]:
    """All runs by name of their stack. Raises LedgerError where a file is not one of runs."""
    try:
        return evidence.load(root)
    except EvidenceError as error:
        raise LedgerError(str(error)) from error


def merge(old: Runs | None, new: Runs) -> Runs:
    """Add new observations to older ones of the same stack.

    An observation replaces an older one only where digest, versions, outcome, note or events differ:
    the day, what was printed to standard output and how often an event came in a row are not news.
    """
    kept = dict(_whole(old)) if old is not None else {}
    for key, observation in _whole(new).items():
        before = kept.get(key)
        if before is None or _shown(before) != _shown(observation):
            kept[key] = observation
    return evidence.gathered(new.name, kept)


def _whole(runs: Runs) -> dict[str, Observation]:
    """Observations that know all their versions, and nothing that is not kept."""
    return {
        key: replace(seen, versions=versions_of(runs, seen), seconds=0.0, peak_mb=0.0)
        for key, seen in runs.snippets.items()
    }


def _shown(seen: Observation) -> tuple[object, ...]:
    events = [replace(event, count=1) for event in seen.events]
    return seen.digest, seen.outcome, seen.goal_reached, seen.note, events, dict(seen.versions)


def known(catalogue: Catalogue) -> set[str]:
    """The keys of all scripts that there are: snippets, programs and their repaired copies."""
    programs = {edition.key for item in catalogue.programs.values() for edition in item.editions()}
    return programs | set(catalogue.snippets)


def record(root: Path, new: Iterable[Runs], keys: Iterable[str]) -> list[Path]:
    """Merge new runs into those of a checkout; returns the files of the entries that ran.

    `keys` are those of scripts that exist, see `known`: in these files no others are kept. Recordings of
    several processes wait for each other, and an interrupted one leaves every file as it was or as it
    should be.
    Raises LedgerError where the runs cannot be read or written; then the new ones lie in another folder.
    """
    new = list(new)
    try:
        return _record(root, new, set(keys))
    except (OSError, EvidenceError) as error:
        raise LedgerError(f"cannot add to {folder(root)}: {error}\n    → {_aside(new, set(keys))}") from error


def _aside(new: list[Runs], keys: set[str]) -> str:
    """Keep in a fresh folder what a checkout does not take, and say where."""
    try:
        target = Path(tempfile.mkdtemp(prefix="unmeta-runs-"))
        _record(target, new, keys)
    except OSError as error:
        return f"nor can it be kept elsewhere ({error}): record again"
    return f"what was recorded is kept: mend that, then `unmeta runs merge {target}`"


def drop(root: Path, name: str) -> list[Path]:
    """Forget all runs of one stack; returns the files they stood in. Raises LedgerError where it has none."""
    with _alone(folder(root)):
        runs = load(root)
        if name not in runs:
            raise LedgerError(f"no runs of {name!r}; there are those of {', '.join(runs) or 'none'}")
        touched = {path_of(key)[0] for key in runs.pop(name).snippets}
        return _written(folder(root), runs, touched)


def _record(root: Path, new: list[Runs], keys: set[str]) -> list[Path]:
    target = folder(root)
    target.mkdir(parents=True, exist_ok=True)
    with _alone(target):
        runs = evidence.load(root)
        for item in new:
            runs[item.name] = merge(runs.get(item.name), item)
        touched = {path_of(key)[0] for item in new for key in item.snippets}
        keys = keys | {key for item in new for key in item.snippets}
        for name, item in runs.items():
            kept = {
                key: seen
                for key, seen in item.snippets.items()
                if key in keys or path_of(key)[0] not in touched
            }
            runs[name] = replace(item, snippets=kept)
        return _written(target, runs, touched)


def _written(target: Path, runs: Mapping[str, Runs], touched: Iterable[str]) -> list[Path]:
    """Write the files that are touched, and the sets of versions of all runs."""
    files: dict[str, dict[str, dict[str, Observation]]] = {}
    sets = {}
    for name, item in runs.items():
        for key, seen in _whole(item).items():
            file, script = path_of(key)
            files.setdefault(file, {}).setdefault(script, {})[name] = seen
            sets[set_name(seen.versions)] = seen.versions
    _write(target / VERSIONS, render_sets(sets))
    paths = [target / path for path in sorted(touched)]
    for path in paths:
        if sightings := files.get(path.relative_to(target).as_posix()):
            _write(path, render(sightings))
        else:
            path.unlink(missing_ok=True)
    return paths


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Keep other recorders out while this one reads, merges and writes; released even by a crash."""
    try:
        import fcntl
    except ImportError:  # Windows, where nothing records
        yield
        return
    handle = os.open(target, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _write(path: Path, text: str) -> None:
    """Replace a file in one step, and only where its text changes."""
    data = text.encode()
    with suppress(OSError):
        if path.read_bytes() == data:
            return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def matching_stack(catalogue: Catalogue, versions: Mapping[str, str], wanted: str | None = None) -> Stack:
    """The stack that a machine with these versions is; `wanted` names it outright.

    Of several that fit, the one that names most packages. Raises LedgerError where none fits.
    """
    if wanted is not None:
        stack = catalogue.stacks.get(wanted)
        if stack is None:
            raise LedgerError(f"no stack {wanted!r} in kb/stacks.toml; known: {', '.join(catalogue.stacks)}")
        wrong = mismatches(stack, versions)
        if wrong:
            raise LedgerError(
                f"this machine is not the stack {wanted!r}: {'; '.join(wrong)}{_install(stack, versions)}"
            )
        return stack
    fitting = [stack for stack in catalogue.stacks.values() if not mismatches(stack, versions)]
    if not fitting:
        near = min(catalogue.stacks.values(), key=lambda stack: len(mismatches(stack, versions)))
        raise LedgerError(
            "this machine fits no stack of kb/stacks.toml, so nothing can be recorded; "
            f"nearest is {near.id!r}: {'; '.join(mismatches(near, versions))}{_install(near, versions)}"
        )
    return max(fitting, key=lambda stack: len(stack.packages))


def _install(stack: Stack, versions: Mapping[str, str]) -> str:
    """What makes a machine the stack, as a line of its own."""
    pins = [f"{name}=={release}" for name, release in stack.packages.items() if versions.get(name) != release]
    if not pins:
        return f"\n    → use Python {stack.python}"
    return f"\n    → pip install {' '.join([*pins, *map(json.dumps, stack.also)])}"


def cell(case: Case, runs: Runs, catalogue: Catalogue) -> Verdict:
    """What the runs of one stack say of one case."""
    stack = catalogue.stacks.get(runs.stack)
    observation = runs.snippets.get(case.key)
    elsewhere = moved(catalogue, runs, case.key)
    if elsewhere and (stack is None or obstacle(case, stack.versions, runs.device) is None):
        return Verdict(State.STALE, (elsewhere,))
    made_with = versions_of(runs, observation) if observation else dict(runs.versions)
    return judge(case, observation, catalogue, made_with, runs.device)


def cells(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Cells:
    """Every case on every recorded stack."""
    return {
        (case.key, name): cell(case, item, catalogue)
        for case in catalogue.cases()
        for name, item in runs.items()
    }


def proof(catalogue: Catalogue, runs: Mapping[str, Runs], table: Cells | None = None) -> dict[str, State]:
    """Whether each cause (by id) is proved.

    HOLDS: every case holds on some stack, none fails anywhere, and on the reference stack none is
    stale. Otherwise FAILS, STALE or NOT_RUN, the worst that is true of it.
    """
    table = cells(catalogue, runs) if table is None else table
    by_owner: dict[str, list[Case]] = {}
    for case in catalogue.cases():
        if case.role is not Role.FACT:
            by_owner.setdefault(case.owner, []).append(case)
    return {owner: _proof(cases, catalogue, runs, table) for owner, cases in by_owner.items()}


def _proof(cases: Iterable[Case], catalogue: Catalogue, runs: Mapping[str, Runs], table: Cells) -> State:
    worst = State.HOLDS
    for case in cases:
        states = {name: table[case.key, name].state for name in runs}
        if State.FAILS in states.values():
            return State.FAILS
        stale_here = states.get(catalogue.reference.id) is State.STALE
        if stale_here or (State.STALE in states.values() and State.HOLDS not in states.values()):
            worst = State.STALE
        elif not _shown_somewhere(case, runs, states) and worst is State.HOLDS:
            worst = State.NOT_RUN
    return worst


def _shown_somewhere(case: Case, runs: Mapping[str, Runs], states: Mapping[str, State]) -> bool:
    """Whether a case holds where it claims something: that a broken snippet does nothing proves nothing."""
    return any(
        state is State.HOLDS and inside(case.applies, versions_of(runs[name], runs[name].snippets[case.key]))
        for name, state in states.items()
    )


def status(catalogue: Catalogue, runs: Mapping[str, Runs]) -> dict[str, int]:
    """Counts for the status page and `unmeta status --json`.

    `proved` are causes proved by runs, `unproved` the others (with or without a declared reason);
    `stale` counts cells of the reference stack, `failing` cells anywhere; `cells` those that hold.
    """
    table = cells(catalogue, runs)
    proved = sum(state is State.HOLDS for state in proof(catalogue, runs, table).values())
    reference = catalogue.reference.id
    facts = [f"facts/{fact}.py" for fact in catalogue.facts]
    return {
        "causes": len(catalogue.causes),
        "proved": proved,
        "unproved": len(catalogue.causes) - proved,
        "fixes": sum(len(cause.fixes) for cause in catalogue.causes.values()),
        "traps": sum(len(cause.traps) for cause in catalogue.causes.values()),
        "symptoms": len(catalogue.symptoms),
        "facts": len(catalogue.facts),
        "proved_facts": sum(
            any(table[key, name].state is State.HOLDS for name in runs)
            and not any(table[key, name].state is State.FAILS for name in runs)
            for key in facts
        ),
        "stacks": len({item.stack for item in runs.values() if item.snippets}),
        "stale": sum(
            verdict.state is State.STALE for (_, name), verdict in table.items() if name == reference
        ),
        "failing": sum(verdict.state is State.FAILS for verdict in table.values()),
        "cells": sum(verdict.state is State.HOLDS for verdict in table.values()),
    }
