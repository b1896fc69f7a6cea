"""Where runs put a bound, and when a stated one lies elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from packaging.specifiers import Specifier
from packaging.version import Version

from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Stack
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.verify.bounds import Seen, bounds_are_bracketed, outside

GOOD = Path(__file__).resolve().parents[1] / "good"


def seen(yes: str, no: str = "") -> Seen:
    return Seen({Version(item) for item in yes.split()}, {Version(item) for item in no.split()})


@pytest.mark.parametrize(
    ("bound", "shows"),
    [
        (">=2.1", seen("2.1.2 2.13", "2.0.1")),
        (">=2.0.2", seen("2.1.2", "2.0.1")),
        (">=2.1.2", seen("2.1.2", "2.0.1 2.14")),
        (">=2.1", seen("2.1.2")),
        (">2.0", seen("2.1", "2.0")),
        ("<2.3", seen("2.1 2.2", "2.3 2.9")),
        ("<=2.2", seen("2.1 2.2", "2.3")),
        ("<=2.2", seen("2.1 2.2.4")),
        ("!=5.0.*", seen("4.57 5.24", "5.0.0")),
        (">=2.1", seen("", "2.0")),
        ("==2.1", seen("2.1")),
    ],
)
def test_a_bound_between_runs(bound: str, shows: Seen) -> None:
    assert outside(Specifier(bound), shows) is None


@pytest.mark.parametrize(
    ("bound", "shows", "words"),
    [
        (
            ">=1.9",
            seen("2.1.2 2.13"),
            "begins at 1.9; the oldest run that shows it is 2.1.2",
        ),
        (">=2.0", seen("2.1.2", "2.0.1"), "2.0.1 shows already that it is absent"),
        (">=2.2", seen("2.13"), "no run beyond"),
        (
            "<2.9",
            seen("2.1 2.2", "2.4"),
            "ends at 2.9; the newest run that shows it is 2.2",
        ),
        ("<=2.4", seen("2.1 2.2", "2.4"), "2.4 shows already"),
        ("<3", seen("2.14"), "no run beyond shows that it is absent"),
        ("<=2.9", seen("2.8.1"), "no run beyond"),
        ("!=5.0.*", seen("4.57 5.24"), "no run on 5.0.* shows that it is absent there"),
    ],
)
def test_a_bound_that_runs_do_not_bracket(bound: str, shows: Seen, words: str) -> None:
    assert words in str(outside(Specifier(bound), shows))


MESSAGE = "Cannot copy out of meta tensor; no data!"
FRAMES = (Frame("broken.py", 9, "<module>", library=False), Frame("torch/nn/modules/module.py", 1, "to"))
RAISED = Event(
    "exception", "NotImplementedError", MESSAGE, chain=(Raised("NotImplementedError", MESSAGE, FRAMES),)
)


def catalogue(ranges: dict[str, str], since: dict[str, str]) -> Catalogue:
    good = load(GOOD)
    cause, symptom = good.causes["half-copied"], good.symptoms["nothing-to-copy"]
    wording = symptom.messages["bare"].model_copy(update={"since": since})
    stacks = {
        name: Stack(id=name, title=name, reference=name == "new", python="3.11", packages={"torch": release})
        for name, release in (("old", "2.0.1"), ("mid", "2.1.2"), ("new", "2.13.0"))
    }
    return replace(
        good,
        causes={"half-copied": cause.model_copy(update={"applies": ranges})},
        symptoms={"nothing-to-copy": symptom.model_copy(update={"messages": {"bare": wording}})},
        stacks=stacks,
    )


def runs(made: Catalogue, *broken_on: str) -> dict[str, Runs]:
    key = "half-copied/broken.py"
    digest = made.snippets[key].digest
    return {
        name: Runs(
            name,
            "cpu",
            stack.versions,
            {
                key: Observation(digest, "raised", False, (RAISED,))
                if name in broken_on
                else Observation(digest, "passed", True)
            },
        )
        for name, stack in made.stacks.items()
    }


@pytest.mark.parametrize(
    ("ranges", "since", "rules"),
    [
        ({"torch": ">=2.1"}, {"torch": "2.1"}, []),
        ({"torch": ">=2.0.2"}, {}, []),
        ({"torch": ">=2.1,<2.14"}, {}, ["kb/causes"]),
        ({"torch": ">=2.1"}, {"torch": "2.0"}, ["kb/symptoms"]),
        ({"torch": ">=2.1,!=2.5.*"}, {}, ["kb/causes"]),
    ],
)
def test_bounds_of_causes_and_wordings(
    ranges: dict[str, str], since: dict[str, str], rules: list[str]
) -> None:
    made = catalogue(ranges, since)
    found = list(bounds_are_bracketed(made, runs(made, "mid", "new")))
    assert [finding.path.rpartition("/")[0] for finding in found] == rules
    assert all(finding.rule == "unbracketed-bound" and finding.remedy for finding in found)
