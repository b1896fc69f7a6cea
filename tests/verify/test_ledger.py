"""Merging, staleness, and what the runs files prove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs, to_json
from unmeta.verify import ledger
from unmeta.verify.judge import State

Tree = Callable[[Mapping[str, str]], Path]
NOW = {"python": "3.11.7", "torch": "2.0"}
RUN = Observation("a" * 12, "passed", True, seconds=1.0, peak_mb=2.0, date="2026-01-01")


def runs(stack: str = "here", versions: Mapping[str, str] = NOW, **snippets: Observation) -> Runs:
    return Runs(stack, "cpu", versions, {f"{name}.py": seen for name, seen in snippets.items()})


# merging


def test_first_recording() -> None:
    new = runs(b=RUN, a=RUN)
    assert list(ledger.merge(None, new, ["a.py", "b.py"]).snippets) == ["a.py", "b.py"]


def test_time_and_date_are_no_news() -> None:
    again = replace(RUN, seconds=9.0, peak_mb=9.0, date="2026-02-02", output="x")
    assert ledger.merge(runs(a=RUN), runs(a=again), ["a.py"]).snippets["a.py"] == RUN


def test_how_often_an_event_came_is_no_news() -> None:
    event = Event("log", "WARNING", "x", count=7)
    first, again = replace(RUN, events=(event,)), replace(RUN, events=(replace(event, count=8),))
    assert ledger.merge(runs(a=first), runs(a=again), ["a.py"]).snippets["a.py"] == first


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "b" * 12},
        {"outcome": "missed"},
        {"goal_reached": False},
        {"events": (Event("log", "WARNING", "x"),)},
    ],
)
def test_what_a_run_shows_is_news(change: dict[str, object]) -> None:
    again = replace(RUN, date="2026-02-02", **change)  # type: ignore[arg-type]
    assert ledger.merge(runs(a=RUN), runs(a=again), ["a.py"]).snippets["a.py"] == again


def test_a_part_leaves_the_rest_alone() -> None:
    again = replace(RUN, outcome="missed")
    merged = ledger.merge(runs(a=RUN, b=RUN), runs(b=again), ["a.py", "b.py"])
    assert merged.snippets == {"a.py": RUN, "b.py": again}


def test_snippets_that_are_gone_are_dropped() -> None:
    assert list(ledger.merge(runs(a=RUN, b=RUN), runs(b=RUN), ["b.py"]).snippets) == ["b.py"]


def test_older_versions_stay_with_their_observation() -> None:
    merged = ledger.merge(runs(a=RUN, b=RUN), runs(versions={**NOW, "torch": "2.1"}, b=RUN), ["a.py", "b.py"])
    assert ledger.versions_of(merged, merged.snippets["a.py"])["torch"] == "2.0"
    assert ledger.versions_of(merged, merged.snippets["b.py"])["torch"] == "2.1"
    again = ledger.merge(merged, runs(versions={**NOW, "torch": "2.1"}, a=RUN), ["a.py", "b.py"])
    assert ledger.versions_of(again, again.snippets["a.py"])["torch"] == "2.1"


def test_save_and_load(tmp_path: Path) -> None:
    path = ledger.save(tmp_path, runs(a=RUN))
    assert path == tmp_path / "kb" / "runs" / "here.json"
    before = path.read_bytes()
    assert ledger.load(tmp_path) == {"here": runs(a=RUN)}
    ledger.save(tmp_path, ledger.load(tmp_path)["here"])
    assert path.read_bytes() == before
    assert [item.name for item in path.parent.iterdir()] == ["here.json"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"stack": "x"}'])
def test_a_file_that_holds_no_runs(tmp_path: Path, text: str) -> None:
    path = ledger.folder(tmp_path) / "here.json"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ledger.LedgerError, match=r"here\.json.*restore or delete it"):
        ledger.load(tmp_path)


def test_a_file_under_another_name(tmp_path: Path) -> None:
    path = ledger.folder(tmp_path) / "there.json"
    path.parent.mkdir(parents=True)
    path.write_text(to_json(runs()), encoding="utf-8")
    with pytest.raises(ledger.LedgerError, match=r"rename it to here\.json"):
        ledger.load(tmp_path)


# stacks


@pytest.fixture
def stacks(tree: Tree) -> Catalogue:
    text = (
        '[old]\ntitle = "Old"\npython = "3.11"\npackages = {torch = "1.0"}\n'
        '[new]\ntitle = "New"\nreference = true\npython = "3.11"\npackages = {torch = "2.0"}\n'
        '[full]\ntitle = "Full"\npython = "3.11"\npackages = {torch = "2.0", peft = "0.1"}\n'
    )
    return load(tree({"kb/stacks.toml": text}))


def test_the_stack_of_a_machine(stacks: Catalogue) -> None:
    assert ledger.matching_stack(stacks, NOW).id == "new"
    assert ledger.matching_stack(stacks, {**NOW, "peft": "0.1"}).id == "full"
    assert ledger.matching_stack(stacks, {**NOW, "peft": "0.1"}, "new").id == "new"


def test_a_machine_that_fits_no_stack(stacks: Catalogue) -> None:
    with pytest.raises(ledger.LedgerError, match=r"nearest is 'old': torch 1\.1 \(stack: 1\.0\)"):
        ledger.matching_stack(stacks, {"python": "3.11.0", "torch": "1.1"})
    with pytest.raises(ledger.LedgerError, match=r"python 3\.110"):
        ledger.matching_stack(stacks, {**NOW, "python": "3.110"}, "new")


def test_a_named_stack_must_exist_and_fit(stacks: Catalogue) -> None:
    with pytest.raises(ledger.LedgerError, match="known: old, new, full"):
        ledger.matching_stack(stacks, NOW, "other")
    with pytest.raises(ledger.LedgerError, match=r"not the stack 'old': torch 2\.0"):
        ledger.matching_stack(stacks, NOW, "old")


# proof

CHAIN = (Raised("NotImplementedError", "no data!", (Frame("fakelib.py", 1, "fail"),)),)
SHOWN = {
    "copy-lost/broken.py": (
        "raised",
        Event("warning", "UserWarning", "nothing was copied"),
        Event("exception", "NotImplementedError", "no data!", chain=CHAIN),
    ),
    "copy-lost/broken-quiet.py": ("missed",),
    "copy-lost/fix-skip.py": ("passed",),
    "copy-lost/trap-zero.py": ("missed",),
    "facts/one-is-one.py": ("passed",),
}


def recorded(catalogue: Catalogue, stack: str = "here", **change: object) -> Runs:
    snippets = {}
    for key, (outcome, *events) in SHOWN.items():
        digest = catalogue.snippets[key].digest
        snippets[key] = Observation(digest, outcome, outcome != "raised", tuple(events))  # type: ignore[arg-type]
    for name, value in change.items():
        key = f"copy-lost/{name.replace('_', '-')}.py"
        if value is None:
            del snippets[key]
        else:
            snippets[key] = replace(snippets[key], **value)  # type: ignore[arg-type]
    versions = {"python": "3.11.7"} if stack == "here" else {"python": "2.7", "torch": "1.0"}
    return Runs(stack, "cpu", versions, snippets)


@pytest.fixture
def tiny_catalogue(tree: Tree, tiny: dict[str, str]) -> Catalogue:
    return load(tree(tiny))


def state(catalogue: Catalogue, *all_runs: Runs) -> State:
    return ledger.proof(catalogue, {item.name: item for item in all_runs})["copy-lost"]


def test_proved(tiny_catalogue: Catalogue) -> None:
    found = ledger.status(tiny_catalogue, {"here": recorded(tiny_catalogue)})
    assert found == {
        "causes": 1, "proved": 1, "unproved": 0, "fixes": 1, "traps": 1, "symptoms": 4, "facts": 1,
        "proved_facts": 1, "stacks": 1, "stale": 0, "failing": 0, "cells": 5,
    }  # fmt: skip


def test_nothing_recorded(tiny_catalogue: Catalogue) -> None:
    found = ledger.status(tiny_catalogue, {})
    assert (found["proved"], found["unproved"], found["stacks"], found["proved_facts"]) == (0, 1, 0, 0)
    assert state(tiny_catalogue) is State.NOT_RUN


def test_one_case_not_run_anywhere(tiny_catalogue: Catalogue) -> None:
    assert state(tiny_catalogue, recorded(tiny_catalogue, fix_skip=None)) is State.NOT_RUN


def test_one_case_fails(tiny_catalogue: Catalogue) -> None:
    wrong = recorded(tiny_catalogue, fix_skip={"outcome": "missed"})
    assert state(tiny_catalogue, wrong) is State.FAILS
    assert ledger.status(tiny_catalogue, {"here": wrong})["failing"] == 1


def test_a_stale_case(tiny_catalogue: Catalogue) -> None:
    old = recorded(tiny_catalogue, fix_skip={"digest": "0" * 12})
    assert state(tiny_catalogue, old) is State.STALE
    assert ledger.status(tiny_catalogue, {"here": old})["stale"] == 1


def test_stale_on_another_stack_leaves_the_proof(tiny_catalogue: Catalogue) -> None:
    far = recorded(tiny_catalogue, "far", broken={"digest": "0" * 12})
    far = replace(far, snippets={"copy-lost/broken.py": far.snippets["copy-lost/broken.py"]})
    assert state(tiny_catalogue, recorded(tiny_catalogue), far) is State.HOLDS


def test_harmless_outside_applies_proves_nothing(tiny_catalogue: Catalogue) -> None:
    far = recorded(tiny_catalogue, "far", broken={"outcome": "passed", "events": ()}, broken_quiet=None)
    assert ledger.cells(tiny_catalogue, {"far": far})["copy-lost/broken.py", "far"].state is State.HOLDS
    assert state(tiny_catalogue, far) is State.NOT_RUN


def test_a_stack_that_moved_on_makes_its_runs_stale(tree: Tree, tiny: dict[str, str]) -> None:
    catalogue = load(tree({**tiny, "kb/stacks.toml": tiny["kb/stacks.toml"].replace('"3"', '"3.12"')}))
    verdict = ledger.cells(catalogue, {"here": recorded(catalogue)})["copy-lost/fix-skip.py", "here"]
    assert verdict.state is State.STALE
    assert "python 3.11.7 (stack: 3.12)" in verdict.reasons[0].message


def test_runs_of_a_stack_that_is_gone_are_stale(tiny_catalogue: Catalogue) -> None:
    gone = replace(recorded(tiny_catalogue), stack="gone")
    assert ledger.cells(tiny_catalogue, {"gone": gone})["facts/one-is-one.py", "gone"].state is State.STALE
