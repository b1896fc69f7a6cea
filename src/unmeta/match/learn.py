"""What labelled reports teach the matcher: how likely a cause is, what a clue is worth, what goes with it.

Everything here is counting, so each number can be checked by hand against `kb/reports.jsonl`. A report
counts whole for its cause and by FAIR for the other entries that would have been a fair first answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unmeta.kb.load import Catalogue
from unmeta.kb.model import Report
from unmeta.match.pack import coarse
from unmeta.match.paste import Paste
from unmeta.match.rank import Evidence, frame_key, mentioned, passes, squash
from unmeta.match.wordings import wordings_of

FAIR = 0.5
PRIOR, REPORTED = 2, 6  # points for each doubling of the reports: of all, and of those with this symptom
BELIEF = 3  # reports that the weight which a clue has by its rarity stands for
TRUST = 0.8  # share of that weight that is believed
NOISE = 2  # points up to which a word tells nothing
CLUE_POINTS = 9  # points of a clue for each power of e by which it makes its causes likelier
TRAIT_POINTS = 18  # the same of a trait, before they are shared out among the traits of a paste
SMOOTH = 6  # reports of average kind that each cause gets in addition
TRAITS = 40  # traits of a cause that are kept
LEAST = 8  # points below which a trait is left out


@dataclass(frozen=True)
class Lesson:
    """A report of a meta problem, and what the matcher reads in it."""

    report: Report
    evidence: Evidence
    traits: tuple[str, ...]

    def fits(self, cause: str) -> float:
        """How much the report counts for a cause: 1, FAIR or 0."""
        return 1 if cause == self.report.cause else FAIR if cause in self.report.also else 0


def lessons_of(catalogue: Catalogue, wordings: list[Any]) -> list[Lesson]:
    """The reports whose cause has an entry, read with the given wordings."""
    lessons = []
    for report in catalogue.reports:
        if report.cause in catalogue.causes:
            evidence = Evidence(Paste(report.text()), wordings)
            lessons.append(Lesson(report, evidence, tuple(evidence.traits())))
    return lessons


def prior(cause: str, lessons: Iterable[Lesson]) -> int:
    """Points for the number of reports that a cause fits."""
    return round(PRIOR * math.log2(1 + sum(lesson.fits(cause) for lesson in lessons)))


def reported(lessons: Iterable[Lesson]) -> dict[str, dict[int, float]]:
    """Reports that each cause fits, by the place of the symptom that they end in; at least one of each."""
    counts: dict[str, dict[int, float]] = {}
    for lesson in lessons:
        if lesson.evidence.seen:
            for name in (lesson.report.cause, *lesson.report.also):
                own = counts.setdefault(name, {})
                symptom = lesson.evidence.seen[-1].symptom
                own[symptom] = own.get(symptom, 0) + lesson.fits(name)
    return {
        name: {symptom: count for symptom, count in sorted(own.items()) if count >= 1}
        for name, own in counts.items()
    }


@dataclass(frozen=True)
class Ending:
    """Reports that end in one symptom: how many, and how many of them each cause fits, as a fair answer too.

    Causes that one report alone has as a fair answer are left out.
    """

    reports: int
    fits: Mapping[str, int]


def endings(catalogue: Catalogue) -> dict[str, Ending]:
    """What reports say of each symptom that one of them ends in."""
    lessons = lessons_of(catalogue, wordings_of(catalogue))
    counts = reported(lessons)
    found: dict[str, Ending] = {}
    for at, symptom in enumerate(catalogue.symptoms):
        own = [
            lesson for lesson in lessons if lesson.evidence.seen and lesson.evidence.seen[-1].symptom == at
        ]
        if own:
            names = [name for name, by in counts.items() if at in by]
            found[symptom] = Ending(
                len(own), {name: sum(lesson.fits(name) > 0 for lesson in own) for name in names}
            )
    return found


def likelihood(count: float) -> int:
    """Points for a number of reports with one symptom."""
    return round(REPORTED * math.log2(1 + count))


def worth(key: str, value: str, claimed: set[str], points: int, most: int, lessons: Sequence[Lesson]) -> int:
    """Points of one value of a clue that the causes `claimed` give.

    `points` is its weight by rarity, which counts as BELIEF reports beside those in which it was found.
    0 for a word that tells nothing.
    """
    if key not in ("mentions", "through") or not lessons:
        return points
    said = squash(value) if key == "mentions" else frame_key(value)
    base = having = fitting = 0.0
    for lesson in lessons:
        fits = max(map(lesson.fits, claimed))
        base += fits
        evidence = lesson.evidence
        if mentioned(said, evidence.text) if key == "mentions" else passes(said, evidence.frames):
            having += 1
            fitting += fits
    rate = (base + 1) / (len(lessons) + 2)
    believed = min(0.9, rate * math.exp(TRUST * points / CLUE_POINTS))
    ratio = (fitting + BELIEF * believed) / (having + BELIEF) / rate
    found = min(most, round(CLUE_POINTS * math.log(max(1.0, ratio))))
    return found if found > NOISE or key == "through" else 0


def common_words(catalogue: Catalogue) -> set[str]:
    """Words of exception names: they come with every message and tell no cause."""
    types = {kind.rpartition(".")[2] for symptom in catalogue.symptoms.values() for kind in symptom.type}
    return {"error", "exception", "warning", "implemented", *(kind.lower() for kind in types)}


def traits(causes: Sequence[str], lessons: Sequence[Lesson], common: set[str]) -> dict[str, list[int]]:
    """Postings [cause, points, …] by trait: naive Bayes over the words and functions of reports."""
    often: Counter[str] = Counter()
    for lesson in lessons:
        often.update(trait for trait in lesson.traits if trait not in common)
    postings: dict[str, list[int]] = {}
    for at, cause in enumerate(causes):
        size = 0.0
        counts: dict[str, float] = {}
        for lesson in lessons:
            if fits := lesson.fits(cause):
                size += fits
                for trait in lesson.traits:
                    counts[trait] = counts.get(trait, 0) + fits
        for trait, points in _best(counts, size, often, len(lessons)):
            postings.setdefault(trait, []).extend((at, points))
    return dict(sorted(postings.items()))


def _best(
    counts: Mapping[str, float], size: float, often: Mapping[str, int], total: int
) -> list[tuple[str, int]]:
    """The traits that speak most for a cause, of those that more than one report has."""
    points = {}
    for trait, count in counts.items():
        if often[trait] < 2:  # common words are not counted, one report is no rule
            continue
        rate = often[trait] / total
        ratio = (count + SMOOTH * rate) / (size + SMOOTH) / rate
        if (found := TRAIT_POINTS * math.log(ratio)) > LEAST:
            points[trait] = coarse(found)
    ranked = sorted(points, key=lambda trait: (-points[trait] * math.sqrt(counts[trait]), trait))
    return [(trait, points[trait]) for trait in ranked[:TRAITS]]
