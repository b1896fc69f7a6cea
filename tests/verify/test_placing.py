"""A cause's place for a paste is that of the matcher, though most of it is reckoned once for many pastes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unmeta.kb import evidence
from unmeta.kb.load import Catalogue
from unmeta.kb.runs import printed_text
from unmeta.kb.snippets import Role
from unmeta.match.compile import compile_root, to_json
from unmeta.match.score import Matcher
from unmeta.verify.placing import Places


@pytest.fixture(scope="module")
def matcher(root: Path) -> Matcher:
    return Matcher(json.loads(to_json(compile_root(root))))


def test_places_are_those_of_the_matcher(root: Path, catalogue: Catalogue, matcher: Matcher) -> None:
    places = Places(matcher)
    order = list(places.at)
    runs = evidence.load(root).values()
    texts = dict.fromkeys(
        printed_text(run.observation) for run in evidence.counted(catalogue, runs, Role.BROKEN)
    )
    told = dict.fromkeys(report.text() for report in catalogue.reports)
    for text in [*[text for text in texts if text][::9], *list(told)[::9]]:
        scores, _ = matcher.scores(matcher.evidence(text), {})
        ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
        for place in (0, 1, 2, 7, len(ranked) - 1):
            assert places.before(order[ranked[place]], text) == place, text
