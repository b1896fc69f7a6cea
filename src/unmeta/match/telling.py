"""Functions of a traceback that single a cause out: those that the runs of its rivals do not pass through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from unmeta.kb import evidence
from unmeta.kb.load import Catalogue
from unmeta.kb.runs import Event, Observation, Runs
from unmeta.kb.snippets import Role

Function = tuple[str, str]
"""A module and the name of a function in it, as a traceback tells them."""


def function_of(name: str) -> Function:
    """`package.module:Qual.name(what)` as a traceback tells it: the module and the last name."""
    module, _, qualified = name.partition(":")
    return module, qualified.partition("(")[0].rpartition(".")[2]


def passed(events: Iterable[Event]) -> Iterator[Function]:
    """Functions of libraries that the exceptions of a run passed through, outermost first."""
    for event in events:
        for raised in event.chain:
            for frame in raised.frames:
                if frame.library and not frame.file.startswith("<"):
                    module = frame.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                    yield module, frame.function.rpartition(".")[2]


def passed_by(catalogue: Catalogue, runs: Iterable[Runs]) -> dict[str, set[Function]]:
    """All functions that the broken snippets of each cause passed through, on any stack."""
    found: dict[str, set[Function]] = {name: set() for name in catalogue.causes}
    for run in evidence.counted(catalogue, runs, Role.BROKEN):
        if run.claimed:
            found[run.case.owner].update(passed(run.observation.events))
    return found


def telling(
    functions: Iterable[Function], rivals: Iterable[str], by_cause: Mapping[str, set[Function]]
) -> list[Function]:
    """Of some functions those that no rival passes through, the outermost first, each once."""
    others = set().union(*(by_cause.get(rival, set()) for rival in rivals))
    return [function for function in dict.fromkeys(functions) if function not in others]


def written(function: Function) -> str:
    """A function as `through` names it."""
    return ":".join(function)


def seen_in(observations: Iterable[Observation]) -> set[Function]:
    """All functions that any of some runs passed through."""
    return {function for observation in observations for function in passed(observation.events)}
