"""Rules about recorded runs, on the tiny catalogue with runs made up for the purpose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Noise
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.verify.checks import findings_of_proof

GOOD = Path(__file__).resolve().parent / "good"
MESSAGE = "Cannot copy out of meta tensor; no data!"


@pytest.fixture(scope="module")
def good() -> Catalogue:
    return load(GOOD)


def raised(type_: str, text: str) -> Event:
    frames = (
        Frame("broken.py", 9, "<module>", library=False),
        Frame("torch/nn/modules/module.py", 1, "to"),
    )
    return Event("exception", type_, text, chain=(Raised(type_, text, frames),))


def runs(good: Catalogue, **changes: Observation) -> dict[str, Runs]:
    def seen(key: str, outcome: str, reached: bool, *events: Event) -> Observation:
        return Observation(good.snippets[key].digest, outcome, reached, events)  # type: ignore[arg-type]

    failed = Event(
        "exception",
        "AssertionError",
        "",
        "goal",
        chain=(Raised("AssertionError", "", (Frame("trap-to-empty.py", 12, "<module>", library=False),)),),
    )
    table = {
        "half-copied/broken.py": seen(
            "half-copied/broken.py", "raised", False, raised("NotImplementedError", MESSAGE)
        ),
        "half-copied/fix-build-for-real.py": seen("half-copied/fix-build-for-real.py", "passed", True),
        "half-copied/trap-to-empty.py": seen("half-copied/trap-to-empty.py", "missed", True, failed),
        "facts/copy-raises.py": seen("facts/copy-raises.py", "passed", False),
    } | changes
    return {"here": Runs("here", "cpu", good.reference.versions, table)}


def rules(good: Catalogue, recorded: dict[str, Runs]) -> list[tuple[str, str]]:
    return [(finding.rule, finding.path) for finding in findings_of_proof(good, recorded)]


def test_good_runs_are_clean(good: Catalogue) -> None:
    assert findings_of_proof(good, runs(good)) == []


def test_an_edited_snippet_is_stale(good: Catalogue) -> None:
    key = "half-copied/fix-build-for-real.py"
    old = replace(runs(good)["here"].snippets[key], digest="0" * 12)
    found = findings_of_proof(good, runs(good, **{key: old}))
    assert [(finding.rule, finding.path) for finding in found] == [("stale-run", f"snippets/{key}")]
    assert "--record" in found[0].remedy


def test_a_snippet_that_never_ran_is_found(good: Catalogue) -> None:
    assert ("stale-run", "snippets/facts/copy-raises.py") in rules(good, {})


def test_a_run_that_contradicts_is_found(good: Catalogue) -> None:
    key = "half-copied/broken.py"
    other = replace(runs(good)["here"].snippets[key], outcome="passed", goal_reached=True, events=())
    found = rules(good, runs(good, **{key: other}))
    assert ("run-contradicts", f"snippets/{key}") in found
    assert ("wording-never-seen", "kb/symptoms/nothing-to-copy.yaml") in found


def test_noise_that_nothing_prints_is_needless(good: Catalogue) -> None:
    noise = Noise(kind="warning", text="an old {name} warning", reason="A library of the past printed it.")
    noisy = replace(good, noise=[noise])
    assert rules(noisy, runs(good)) == [("needless-noise", "kb/noise.toml")]
    key = "half-copied/fix-build-for-real.py"
    heard = replace(
        runs(good)["here"].snippets[key], events=(Event("warning", "FutureWarning", "an old API warning"),)
    )
    assert rules(noisy, runs(good, **{key: heard})) == []
    assert rules(good, runs(good, **{key: heard})) == [("run-contradicts", f"snippets/{key}")]
