"""Grouped cross-validation of all that is learnt: how a row is answered by a fit that never saw it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from unmeta.kb.model import OTHER
from unmeta.match.compile import CLAIMS
from unmeta.match.score import paged
from unmeta.train.examples import CUT, Example
from unmeta.train.fit import Array, Known, Ranking, Read, fit_known, fit_ranking, fold, heat, steadied

FOLDS = 5
RIGHT = 0.95  # of the answers that name one cause, how many must be right


@dataclass(frozen=True)
class Judged:
    """What weights say to an example: causes, best first, the share of the first, whether it is taken for a
    meta problem, and whether one cause is said to fit.
    """

    example: Example
    ranked: tuple[str, ...]
    share: float
    known: bool
    named: bool = False

    def rank(self) -> int:
        """Place, from 0, of the first right answer; at least 3 where there is none."""
        places = [at for at, cause in enumerate(self.ranked) if cause in self.example.right]
        return min(places, default=max(3, len(self.ranked)))


@dataclass(frozen=True)
class Fitted:
    """A whole fit: ranking, rule for meta problems, temperature, and the share that names one cause."""

    model: Ranking
    known: Known
    heat: float
    sure: int

    def judge(self, rows: Sequence[Read]) -> list[Judged]:
        """Answers to rows."""
        if not rows:
            return []
        scores = self.model.scores(rows)
        parts = shares(scores, self.heat)
        order = np.argsort(-scores, axis=1, kind="stable")
        told = []
        for at, row in enumerate(rows):
            share = float(parts[at].max())
            known = paged(row.signs) or self.known.score(row.signs) > 0
            ids = tuple(self.model.causes[place] for place in order[at])
            sure = known and 100 * share >= self.sure and supported(row, int(order[at][0]))
            told.append(Judged(row.example, ids, share, known, sure))
        return told


def shares(scores: Array, temperature: float) -> Array:
    """How likely each cause is, by row."""
    parts = np.exp((scores - scores.max(axis=1, keepdims=True)) / temperature)
    whole: Array = parts / parts.sum(axis=1, keepdims=True)
    return whole


def supported(row: Read, place: int) -> bool:
    """Whether something that a person can check speaks for a cause, as the matcher sees it."""
    return bool((row.claims[place][_CHECKED] > 0).any())


_CHECKED = [CLAIMS.index(name) for name in ("through", "path", "calls", "says", "holes", "earlier", "alone")]


def taught(row: Read) -> bool:
    """Whether a row is learnt from."""
    return row.example.weight > 0


def fitted(rows: Sequence[Read], causes: Sequence[str]) -> Fitted:
    """Fit all there is to fit; what calibrates comes from folds that had not seen the row."""
    rows = [row for row in rows if taught(row)]
    unseen: list[tuple[Read, Array]] = []
    doubts: list[tuple[Read, float]] = []
    for test in range(FOLDS):
        train = [row for row in rows if fold(row.example.group, FOLDS) != test]
        held = [row for row in rows if fold(row.example.group, FOLDS) == test]
        if not held or not train:
            continue
        model, known = fit_ranking(train, causes), fit_known(train)
        unseen += zip(held, model.scores(held), strict=True)
        doubts += [(row, known.total(row.signs)) for row in held]
    temperature, sure = calibrated(unseen, causes)
    return Fitted(fit_ranking(rows, causes), steadied(fit_known(rows), doubts), temperature, sure)


def calibrated(unseen: Sequence[tuple[Read, Array]], causes: Sequence[str]) -> tuple[float, int]:
    """Temperature, and the least share in per cent from which on RIGHT of the first answers are right.

    Measured on what people paste: reports, and programs whose output tells an expert enough.
    """
    pasted = [
        (row, scores)
        for row, scores in unseen
        if (row.example.group.startswith("report ") or row.example.evidence == "decisive")
        and row.example.group.split()[0] in ("report", "program")
        and row.example.kind != "report, context only"
        and any(cause in row.example.right for cause in causes)
    ]
    if not pasted:
        return 1.0, 90
    scores = np.array([own for _, own in pasted])
    right = np.array([[cause in row.example.right for cause in causes] for row, _ in pasted])
    temperature = heat(scores, right)
    parts = shares(scores, temperature)
    first = scores.argmax(axis=1)
    hits = right[np.arange(len(first)), first]
    weight = np.array(
        [row.example.weight * supported(row, place) for (row, _), place in zip(pasted, first, strict=True)]
    )
    for sure in range(50, 100):
        told = 100 * parts.max(axis=1) >= sure
        if weight[told].sum() and (hits * weight)[told].sum() >= RIGHT * weight[told].sum():
            return temperature, sure
    return temperature, 99


def cross_validated(
    rows: Sequence[Read], causes: Sequence[str], said: Callable[[int], object] = id
) -> list[Judged]:
    """Every row judged by weights that were fitted without its group."""
    judged: list[Judged] = []
    for test in range(FOLDS):
        held = [row for row in rows if fold(row.example.group, FOLDS) == test]
        judged += fitted([row for row in rows if fold(row.example.group, FOLDS) != test], causes).judge(held)
        said(test)
    return judged


def table(judged: Iterable[Judged]) -> dict[str, dict[str, float]]:
    """Figures by set: rows, first and top three right, known, named as one cause and right then."""
    sets: dict[str, list[Judged]] = {}
    for one in judged:
        for name in sets_of(one.example):
            sets.setdefault(name, []).append(one)
    return {name: figures(own) for name, own in sorted(sets.items())}


def sets_of(example: Example) -> list[str]:
    """The measures that a row belongs to."""
    kind, group = example.kind, example.group.split()[0]
    if not example.meta:
        counted = group in ("report", "program") and kind not in ("report, context only", "code of program")
        return [f"near misses, {group}"] if counted else []
    if group == "report":
        if kind == "report, context only":
            return []
        how = "with context" if kind.endswith("with context") else "alone"
        return [kind, f"report, {how}", *([f"report, {example.evidence}, {how}"] if example.evidence else [])]
    if kind == "code of program":
        return [kind]
    if group == "program":
        form = kind.removeprefix("program, ")
        if form in CUT:
            return [f"program, {form}"]
        names = [f"program, {example.evidence}"]
        if form == "whole":
            names.append(f"program, {example.evidence}, as printed")
        return [*names, *([f"form, {form}"] if example.evidence == "decisive" else [])]
    return [kind if kind in ("run, whole", "code") else "run, in other forms"] if group == "snippet" else []


def figures(judged: Sequence[Judged]) -> dict[str, float]:
    """Per cent, one digit."""
    ranks = [one.rank() for one in judged if OTHER not in one.example.right]

    def share(count: float, of: float) -> float:
        return round(100 * count / of, 1) if of else 0.0

    return {
        "rows": len(judged),
        "groups": len({one.example.group for one in judged}),
        "first": share(sum(rank == 0 for rank in ranks), len(ranks)),
        "three": share(sum(rank < 3 for rank in ranks), len(ranks)),
        "known": share(sum(one.known for one in judged), len(judged)),
    }


def named(judged: Sequence[Judged]) -> tuple[float, float]:
    """Per cent whose answer names one cause, and how many of those are right."""
    told = [one for one in judged if one.named]
    right = sum(one.rank() == 0 for one in told)
    return (
        round(100 * len(told) / len(judged), 1) if judged else 0.0,
        round(100 * right / len(told), 1) if told else 0.0,
    )
