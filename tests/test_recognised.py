"""Every symptom that a run printed is recognised, every wording is its symptom, and no near miss is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import unmeta
from unmeta.kb.evidence import versions_of
from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Kind, inside
from unmeta.kb.runs import Observation, Runs, traceback_text
from unmeta.kb.snippets import Case, Role
from unmeta.verify import ledger
from unmeta.verify.judge import State, recognise

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = load(ROOT)
RUNS = ledger.load(ROOT)
TABLE = ledger.cells(CATALOGUE, RUNS)


def shown(catalogue: Catalogue, runs: dict[str, Runs]) -> Iterator[tuple[str, Case, Observation]]:
    """Runs in which a broken snippet showed what its entry claims."""
    for case in catalogue.cases():
        if case.role is not Role.BROKEN:
            continue
        for name, item in runs.items():
            observation = item.snippets.get(case.key)
            if not observation or not observation.events:
                continue
            here = inside(case.applies, versions_of(item, observation))
            if here and TABLE[case.key, name].state is State.HOLDS:
                yield name, case, observation


PRINTING = [
    pytest.param(case, observation, id=f"{name}/{case.key}")
    for name, case, observation in shown(CATALOGUE, RUNS)
]


def test_there_are_runs_to_speak_of() -> None:
    assert len(PRINTING) > 100
    assert CATALOGUE.reference.id in RUNS


@pytest.mark.parametrize(("case", "observation"), PRINTING)
def test_recorded_symptoms_are_recognised(case: Case, observation: Observation) -> None:
    claimed = {item.id for item in case.shows}
    for event in observation.events:
        seen = recognise(event, CATALOGUE)
        if seen is None or seen.symptom not in claimed:
            continue
        text = traceback_text(event) if event.kind == "exception" else event.text
        assert seen.symptom in unmeta.explain(text).symptoms


@pytest.mark.parametrize("name", sorted(CATALOGUE.symptoms))
def test_no_near_miss_is_its_symptom(name: str) -> None:
    symptom = CATALOGUE.symptoms[name]
    for text in symptom.near_misses:
        for dressed in (text, *(f"{type_}: {text}" for type_ in symptom.type)):
            assert name not in unmeta.explain(dressed).symptoms


@pytest.mark.parametrize("name", sorted(CATALOGUE.symptoms))
def test_every_wording_is_its_symptom(name: str) -> None:
    symptom = CATALOGUE.symptoms[name]
    if symptom.kind is Kind.SILENT:
        return
    for wording in symptom.messages.values():
        text = wording.text.replace("{{", "\0").replace("}}", "\1")
        while "{" in text:
            start, end = text.index("{"), text.index("}")
            text = text[:start] + "model.layers.1" + text[end + 1 :]
        text = text.replace("\0", "{").replace("\1", "}")
        prefix = f"{symptom.type[0]}: " if symptom.type else ""
        assert name in unmeta.explain(prefix + text).symptoms, text
