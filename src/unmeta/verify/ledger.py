"""The runs files: read, merge, write, and count what they prove.

`kb/runs/<stack>[-<device>].json` is written by machines only. A run is kept as it is unless what it
shows has changed, so that a recording leaves no noise in the history.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from unmeta.kb.load import Catalogue
from unmeta.kb.model import Stack, inside
from unmeta.kb.runs import Observation, Runs, from_json, to_json
from unmeta.kb.snippets import Case, Role
from unmeta.verify.judge import Reason, State, Verdict, judge, obstacle

Cells = Mapping[tuple[str, str], Verdict]
"""Verdicts by snippet key and name of the runs file."""


class LedgerError(ValueError):
    """The runs cannot be read, or this machine fits no stack; the text says what to do."""


def folder(root: Path) -> Path:
    """Where the runs of a catalogue lie."""
    return root / "kb" / "runs"


def load(root: Path) -> dict[str, Runs]:
    """All runs files by name. Raises LedgerError where one is not a runs file."""
    found = {}
    for path in sorted(folder(root).glob("*.json")):
        try:
            runs = from_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise LedgerError(
                f"{path}: {error}; it is written by `pytest snippets --record`: restore or delete it"
            ) from error
        if runs.name != path.stem:
            raise LedgerError(f"{path}: holds the runs of {runs.name!r}; rename it to {runs.name}.json")
        found[runs.name] = runs
    return found


def save(root: Path, runs: Runs) -> Path:
    """Write one runs file, in one step, so that an interrupted write leaves the old one."""
    path = folder(root) / f"{runs.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(to_json(runs), encoding="utf-8", newline="\n")
    part.replace(path)
    return path


def merge(old: Runs | None, new: Runs, keys: Iterable[str]) -> Runs:
    """Add new observations; drop snippets that are not among `keys`, the ones that still exist.

    An observation replaces an older one only where digest, versions, outcome or events differ:
    seconds, megabytes, the date and how often an event came in a row are not news. Observations of
    other versions than the file's own carry what differs.
    """
    known = set(keys)
    kept: dict[str, Observation] = {}
    if old is not None:
        for key, observation in old.snippets.items():
            if key in known:
                made_with = {**old.versions, **observation.versions}
                kept[key] = replace(observation, versions=_difference(made_with, new.versions))
    for key, observation in new.snippets.items():
        before = kept.get(key)
        if before is None or not _same(before, observation):
            kept[key] = replace(observation, versions={})
    return Runs(new.stack, new.device, dict(new.versions), dict(sorted(kept.items())))


def _same(old: Observation, new: Observation) -> bool:
    return not old.versions and _shown(old) == _shown(new)


def _shown(seen: Observation) -> tuple[object, ...]:
    events = [replace(event, count=1) for event in seen.events]
    return seen.digest, seen.outcome, seen.goal_reached, events


def _difference(made_with: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    return {package: release for package, release in made_with.items() if now.get(package) != release}


def versions_of(runs: Runs, observation: Observation) -> dict[str, str]:
    """The versions that one observation was made with."""
    return {**runs.versions, **observation.versions}


def mismatches(stack: Stack, versions: Mapping[str, str]) -> list[str]:
    """How versions differ from those of a stack; patch releases of Python do not count."""
    found = []
    for package, wanted in stack.versions.items():
        has = versions.get(package, "none")
        same = has == wanted or (package == "python" and has.startswith(wanted + "."))
        if not same:
            found.append(f"{package} {has} (stack: {wanted})")
    return found


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
            raise LedgerError(f"this machine is not the stack {wanted!r}: {'; '.join(wrong)}")
        return stack
    fitting = [stack for stack in catalogue.stacks.values() if not mismatches(stack, versions)]
    if not fitting:
        near = min(catalogue.stacks.values(), key=lambda stack: len(mismatches(stack, versions)))
        raise LedgerError(
            "this machine fits no stack of kb/stacks.toml, so nothing can be recorded; "
            f"nearest is {near.id!r}: {'; '.join(mismatches(near, versions))}"
        )
    return max(fitting, key=lambda stack: len(stack.packages))


def cell(case: Case, runs: Runs, catalogue: Catalogue) -> Verdict:
    """What one runs file says of one case."""
    stack = catalogue.stacks.get(runs.stack)
    observation = runs.snippets.get(case.key)
    if stack is None:
        return Verdict(State.STALE, (Reason(f"kb/stacks.toml has no stack {runs.stack!r}"),))
    made_with = versions_of(runs, observation) if observation else dict(runs.versions)
    if observation is not None and (wrong := mismatches(stack, made_with)):
        blocked = obstacle(case, stack.versions, runs.device)
        if blocked is None:
            remedy = f"pytest snippets/{case.key} --record on the stack {stack.id!r}"
            reason = Reason(f"run with other versions: {'; '.join(wrong)}", remedy)
            return Verdict(State.STALE, (reason,))
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
