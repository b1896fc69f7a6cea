"""How well each entry is proved, on which stacks: what badges, tables and counts say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from packaging.version import InvalidVersion, Version

from unmeta.kb.evidence import versions_of
from unmeta.kb.load import Catalogue
from unmeta.kb.model import inside
from unmeta.kb.runs import Observation, Runs
from unmeta.kb.snippets import Case, Role
from unmeta.verify import ledger
from unmeta.verify.judge import State

CellState = Literal["fails", "stale", "holds", "absent", "not-run"]
"""A cell's state. `absent`: a broken snippet shows nothing where the cause does not exist, as claimed."""

SIGNS: Mapping[CellState, str] = {"holds": "✓", "fails": "✗", "stale": "↻", "absent": "○", "not-run": "–"}
WORDS: Mapping[CellState, str] = {
    "holds": "holds",
    "fails": "does not hold",
    "stale": "stale",
    "absent": "no such error on that version",
    "not-run": "not run",
}
_STATES: Mapping[State, CellState] = {
    State.HOLDS: "holds",
    State.FAILS: "fails",
    State.STALE: "stale",
    State.NOT_RUN: "not-run",
}


@dataclass(frozen=True)
class Cell:
    """One claim on one stack: its state, why, and what was seen there."""

    case: Case
    runs: str
    state: CellState
    reason: str = ""
    observation: Observation | None = None

    @property
    def sign(self) -> str:
        """The state as one character."""
        return SIGNS[self.state]

    @property
    def word(self) -> str:
        """The state in words."""
        return WORDS[self.state]

    @property
    def date(self) -> str:
        """Day of the run, or nothing."""
        return self.observation.date[:10] if self.observation else ""


@dataclass(frozen=True)
class Standing:
    """How an entry stands over all stacks."""

    state: CellState
    stacks: int
    sentence: str

    @property
    def sign(self) -> str:
        """What a badge shows: the sign, and the number of stacks where that says something."""
        return f"{SIGNS[self.state]} {self.stacks}" if self.state == "holds" else SIGNS[self.state]


def worst(states: Iterable[CellState]) -> CellState:
    """The state of several claims together: one failure fails all, one success is needed to hold."""
    found = set(states)
    return next((state for state in SIGNS_BY_WEIGHT if state in found), "not-run")


SIGNS_BY_WEIGHT: Sequence[CellState] = ("fails", "stale", "holds", "absent", "not-run")


@dataclass(frozen=True)
class Proof:
    """Every cell, by the snippet's key and the name of the runs (a stack, `-cuda` where on a GPU).

    `proved` are the ids of causes that the ledger calls proved.
    """

    catalogue: Catalogue
    columns: Sequence[Runs]
    cells: Mapping[tuple[str, str], Cell]
    proved: frozenset[str]

    @cached_property
    def _cases(self) -> Mapping[str, list[Case]]:
        cases: dict[str, list[Case]] = {}
        for case in self.catalogue.cases():
            cases.setdefault(case.owner, []).append(case)
        return cases

    def cases(self, entry: str) -> list[Case]:
        """The claims of an entry, in page order."""
        return self._cases.get(entry, [])

    def cell(self, case: Case, runs: str) -> Cell:
        """The cell of a claim on one stack."""
        return self.cells[case.key, runs]

    def on(self, entry: str, runs: str) -> CellState:
        """How an entry stands on one stack."""
        return worst(self.cell(case, runs).state for case in self.cases(entry))

    def standing(self, entry: str) -> Standing:
        """How an entry stands over all stacks."""
        if entry not in self._standings:
            self._standings[entry] = self.standing_of(self.cases(entry))
        return self._standings[entry]

    @cached_property
    def _standings(self) -> dict[str, Standing]:
        return {}

    def standing_of(self, cases: Sequence[Case]) -> Standing:
        """How some claims stand over all stacks."""
        states = [worst(self.cell(case, runs.name).state for case in cases) for runs in self.columns]
        state = worst(states)
        count = states.count(state)
        stacks = f"{count} stack{'' if count == 1 else 's'}"
        sentence = {
            "holds": f"run on {stacks}",
            "fails": f"does not hold on {stacks}",
            "stale": f"changed since it ran on {stacks}, or they did",
            "absent": f"not there on {stacks}",
            "not-run": "not run yet",
        }[state]
        return Standing(state, count, sentence)

    @cached_property
    def counts(self) -> Mapping[CellState, int]:
        """Number of cells by state."""
        return Counter(cell.state for cell in self.cells.values())

    def reference(self, key: str) -> Observation | None:
        """What a snippet did: on the reference stack, else on the first stack where it shows the claim."""
        order = sorted(self.columns, key=lambda runs: runs.stack != self.catalogue.reference.id)
        found = [cell for runs in order if (cell := self.cells.get((key, runs.name))) and cell.observation]
        shown = [cell for cell in found if cell.state == "holds"]
        best = next(iter(shown or found), None)
        return best.observation if best else None

    def latest(self, entry: str) -> str:
        """Day of the newest run of an entry, or nothing."""
        days = [self.cell(case, runs.name).date for case in self.cases(entry) for runs in self.columns]
        return max(days, default="")


def _release(text: str) -> Version:
    """A release for ordering; recorded versions are text of machines and may be none."""
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0")


def judged(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Proof:
    """Judge every claim against what the runs recorded; columns come in the order of their releases."""

    def releases(item: Runs) -> tuple[Version, Version, int, str]:
        transformers, torch = (_release(item.versions.get(name, "0")) for name in ("transformers", "torch"))
        return transformers, torch, len(item.versions), item.name

    columns = sorted(runs.values(), key=releases)
    table = ledger.cells(catalogue, runs)
    cells = {
        (case.key, item.name): _cell(case, item, table) for case in catalogue.cases() for item in columns
    }
    proved = [name for name, state in ledger.proof(catalogue, runs, table).items() if state is State.HOLDS]
    return Proof(catalogue, columns, cells, frozenset(proved))


def _cell(case: Case, runs: Runs, table: ledger.Cells) -> Cell:
    verdict = table[case.key, runs.name]
    observation = runs.snippets.get(case.key)
    state = _STATES[verdict.state]
    if state == "holds" and case.role is Role.BROKEN and observation is not None:
        there = inside(case.applies, versions_of(runs, observation))
        state = "holds" if there else "absent"
    if state == "not-run":
        observation = None
    reason = "; ".join(item.message for item in verdict.reasons)
    return Cell(case, runs.name, state, reason, observation)
