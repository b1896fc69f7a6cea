"""What labelled reports say of a message: how many end in it, and which causes they have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unmeta.kb.load import Catalogue
from unmeta.match.compile import grammar_here
from unmeta.match.evidence import Evidence
from unmeta.match.read import Reader
from unmeta.match.wordings import wordings_of


@dataclass(frozen=True)
class Ending:
    """Reports that end in one symptom: how many, and how many of them each cause fits, as a fair answer too.

    Causes that one report alone has as a fair answer are left out.
    """

    reports: int
    fits: Mapping[str, int]


def endings(catalogue: Catalogue) -> dict[str, Ending]:
    """What reports say of each symptom that one of them ends in."""
    wordings, names = wordings_of(catalogue), list(catalogue.symptoms)
    reader = Reader(grammar_here())
    ended: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for report in catalogue.reports:
        if report.cause in catalogue.causes:
            final = Evidence(reader.read(report.text()), wordings, names, reader).final
            if final:
                ended.setdefault(names[final.symptom], []).append((report.cause, tuple(report.also)))
    found: dict[str, Ending] = {}
    for symptom in names:
        own = ended.get(symptom, [])
        certain = {cause for cause, _ in own}
        count: dict[str, int] = {}
        for cause, also in own:
            for name in dict.fromkeys((cause, *also)):
                count[name] = count.get(name, 0) + 1
        if own:
            kept = {name: number for name, number in count.items() if name in certain or number > 1}
            found[symptom] = Ending(len(own), kept)
    return found
