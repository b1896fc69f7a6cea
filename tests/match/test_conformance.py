"""What both matchers must read and answer, written from the specification: `conformance/*.jsonl`.

`zones` of the lines in order, `symptoms` found, features that the evidence `has` and `lacks`; of answers
`known`, `verdict`, the `first` cause or one `among` the first three, and the lines that its reasons quote.
"""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "conformance"


def cases(name):
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(case, id=case["case"]) for case in map(json.loads, lines)]


@pytest.fixture(scope="session")
def browsed(browser):
    """What the browser reads in and answers to every case, by text: each call would load the index."""
    pastes = [case.values[0]["paste"] for name in ("reading", "answers") for case in cases(name)]
    return dict(zip(pastes, browser(pastes, read=True), strict=True))


@pytest.fixture(params=["python", "browser"])
def engine(request, matcher, browsed):
    """Reads and explains one text."""
    if request.param == "python":

        def ours(text):
            evidence = matcher.evidence(text)
            return {
                "zones": [line.zone for line in evidence.paste.lines],
                "symptoms": list(dict.fromkeys(matcher.names[seen.symptom] for seen in evidence.seen)),
                "features": list(evidence.features),
                "answer": matcher.explain(text),
            }

        return ours
    return browsed.__getitem__


@pytest.mark.parametrize("case", cases("reading"))
def test_reading(engine, case):
    found = engine(case["paste"])
    for key in ("zones", "symptoms"):
        assert found[key] == case.get(key, found[key])
    assert set(case.get("has", ())) <= set(found["features"])
    assert not set(case.get("lacks", ())) & set(found["features"])


@pytest.mark.parametrize("case", cases("answers"))
def test_answers(engine, case):
    answer = engine(case["paste"])["answer"]
    for key in ("known", "verdict", "symptoms"):
        assert answer[key] == case.get(key, answer[key])
    if "first" in case:
        assert answer["causes"][0]["id"] == case["first"]
    if "among" in case:
        assert case["among"] in [cause["id"] for cause in answer["causes"][:3]]
    quoted = [[clue["line"], clue["text"]] for cause in answer["causes"][:1] for clue in cause["yes"]]
    assert all(line in quoted for line in case.get("quotes", ()))
