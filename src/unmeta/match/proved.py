"""On which versions the fixes ran: what an answer says of the reader's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from unmeta.kb import evidence
from unmeta.kb.load import Catalogue
from unmeta.kb.runs import Runs
from unmeta.kb.snippets import Role
from unmeta.match.evidence import numbers

TOLD = ("torch", "transformers", "accelerate")
"""Packages that readers are asked for."""


def ran(catalogue: Catalogue, runs: Iterable[Runs]) -> dict[str, dict[str, dict[str, str]]]:
    """By fix, as `<cause>/fix-….py`, the days of its runs by their names: `ran` where it reached its goal,
    `missed` where it did not although the cause is there, and only if there are such.
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    for run in evidence.counted(catalogue, runs, Role.FIX):
        passed = run.observation.outcome == "passed"
        if passed or run.claimed:
            days = found.setdefault(run.case.key, {"ran": {}}).setdefault("ran" if passed else "missed", {})
            days[run.runs.name] = run.observation.date[:10]
    return found


def ordered(runs: Iterable[Runs]) -> list[Runs]:
    """Runs by their releases, the newest last."""

    def key(item: Runs) -> tuple[list[int], list[int], str]:
        transformers, torch = (numbers(item.versions.get(name, "")) for name in ("transformers", "torch"))
        return transformers, torch, item.name

    return sorted(runs, key=key)


def releases(runs: Iterable[Runs]) -> dict[str, dict[str, str]]:
    """The versions of `TOLD` by name of the runs."""
    return {item.name: {name: item.versions[name] for name in TOLD if name in item.versions} for item in runs}


def with_runs(causes: Iterable[Mapping[str, Any]], fixes: Mapping[str, Mapping[str, Any]]) -> None:
    """Put into the JSON form of causes where each fix ran, as `ran` gives it."""
    for cause in causes:
        for ways in (cause["fixes"], *(face["holds"] for face in cause["faces"])):
            for way in ways:
                way.update(fixes.get(way["snippet"], {"ran": {}}))
