"""Where runs put a bound, and when a stated one lies elsewhere."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.specifiers import Specifier
from packaging.version import Version

from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Stack, Unbracketed
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.verify.bounds import Sides, bounds_are_bracketed, outside

GOOD = Path(__file__).resolve().parents[1] / "good"


def seen(yes: str, no: str = "") -> Sides:
    return Sides({Version(item) for item in yes.split()}, {Version(item) for item in no.split()})


@pytest.mark.parametrize(
    ("bound", "shows"),
    [
        (">=2.1", seen("2.1.2 2.13", "2.0.1")),
        (">=2.0.2", seen("2.1.2", "2.0.1")),
        (">=2.1.2", seen("2.1.2", "2.0.1 2.14")),
        (">=2.1", seen("2.1.2")),
        (">2.0", seen("2.1", "2.0")),
        (">2.1", seen("2.1.2")),
        (">=2.1", seen("2.1 2.2", "2.0 2.1")),
        ("<2.3", seen("2.1 2.2", "2.3 2.9")),
        ("<=2.2", seen("2.1 2.2", "2.3")),
        ("<=2.2", seen("2.1 2.2.4")),
        ("!=5.0.*", seen("4.57 5.24", "5.0.0")),
        (">=2.1", seen("", "2.0")),
        ("==2.1", seen("2.1")),
    ],
)
def test_a_bound_between_runs(bound: str, shows: Sides) -> None:
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
        (">2.0.1", seen("2.1.2", "2.0.2"), "2.0.2 shows already"),
        (">=2.0", seen("2.1.2", "2.0"), "2.0 shows already"),
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
def test_a_bound_that_runs_do_not_bracket(bound: str, shows: Sides, words: str) -> None:
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


def test_where_a_finding_stands_and_what_it_says(loaded_good: Path) -> None:
    cause = loaded_good / "kb/causes/half-copied.yaml"
    face = (
        "faces:\n  - id: quiet\n    title: Quiet\n    applies:\n      torch: '>=1.9'\n"
        "    symptoms:\n      - {id: nothing-to-copy, tells: with, clues: [{ask: Is it?}]}\n"
    )
    cause.write_text(cause.read_text() + "applies:\n  torch: '>=1.8'\n" + face)
    symptom = loaded_good / "kb/symptoms/nothing-to-copy.yaml"
    bare = "  bare: Cannot copy out of meta tensor; no data!\n"
    dated = f"  bare:\n    text: {MESSAGE}\n    since: {{torch: '1.7'}}\n    until: {{torch: '2.13.0'}}\n"
    symptom.write_text(symptom.read_text().replace(bare, dated))
    broken = (loaded_good / "snippets/half-copied/broken.py").read_text()
    (loaded_good / "snippets/half-copied/broken-quiet.py").write_text(broken)
    made = load(loaded_good)
    keys = ("half-copied/broken.py", "half-copied/broken-quiet.py")
    seen = {key: Observation(made.snippets[key].digest, "raised", False, (RAISED,)) for key in keys}
    quiet = Event("warning", "UserWarning", "odd")
    seen["facts/copy-raises.py"] = Observation(
        made.snippets["facts/copy-raises.py"].digest, "passed", False, (quiet, quiet)
    )
    stack = made.reference
    found = sorted(bounds_are_bracketed(made, {stack.id: Runs(stack.id, "cpu", stack.versions, seen)}))
    lines = {name: path.read_text().split("\n") for name, path in (("causes", cause), ("symptoms", symptom))}
    said = "the oldest run that shows it is 2.13.0, and no run beyond shows that it is absent"
    assert [(item.path, item.message) for item in found] == [
        ("kb/causes/half-copied.yaml", f"torch >=1.8 begins at 1.8; {said}"),
        ("kb/causes/half-copied.yaml", f"torch >=1.9 begins at 1.9; {said}"),
        ("kb/symptoms/nothing-to-copy.yaml", f"torch >=1.7 begins at 1.7; {said}"),
    ]
    assert [lines[item.path.split("/")[1]][item.line - 1].strip() for item in found] == [
        "torch: '>=1.8'",
        "torch: '>=1.9'",
        "bare:",
    ]


def test_bounds_of_other_packages_choose_the_runs() -> None:
    made = catalogue({"python": ">=3.11", "torch": ">=2.1"}, {})
    table = runs(made, "mid", "new")
    older = {**made.stacks["old"].versions, "python": "3.10"}
    made = replace(
        made, stacks={**made.stacks, "old": made.stacks["old"].model_copy(update={"python": "3.10"})}
    )
    table["old"] = replace(table["old"], versions=older)
    found = list(bounds_are_bracketed(made, table))
    assert [finding.message.partition(";")[0] for finding in found] == []
    wider = replace(
        made,
        causes={
            "half-copied": made.causes["half-copied"].model_copy(
                update={"applies": {"python": ">=3.11", "torch": ">=2.0"}}
            )
        },
    )
    # The run without it was made on another Python: it says nothing of torch.
    assert [finding.message.partition(";")[0] for finding in bounds_are_bracketed(wider, table)] == [
        "torch >=2.0 begins at 2.0"
    ]


@pytest.fixture
def loaded_good(tmp_path: Path) -> Path:
    return shutil.copytree(GOOD, tmp_path / "good")


def test_releases_left_out_in_a_row_are_one_hole() -> None:
    """One run among them shows for all that the thing is absent; another hole needs a run of its own."""
    made = catalogue({"torch": ">=2.0,!=2.2.*,!=2.3.*,!=2.9.*"}, {})
    table = runs(made, "old", "new")
    middle = Stack.model_validate(
        {"id": "mid", "title": "Mid", "python": "3.11", "packages": {"torch": "2.3.1"}}
    )
    made = replace(made, stacks={**made.stacks, "mid": middle})
    broken = "half-copied/broken.py"
    quiet = Observation(made.snippets[broken].digest, "passed", True)
    table["mid"] = Runs("mid", "cpu", middle.versions, {broken: quiet})
    told = [finding.message for finding in bounds_are_bracketed(made, table)]
    assert [text for text in told if "!=2.2" in text or "!=2.3" in text] == []
    assert [text for text in told if "!=2.9" in text] == [
        "torch !=2.9.* no run on 2.9.* shows that it is absent there"
    ]


def test_a_bound_is_excused_with_its_reason_and_only_while_it_is_needed() -> None:
    made = catalogue({"torch": ">=1.8"}, {})
    found = list(bounds_are_bracketed(made, runs(made, "new")))
    assert [item.path for item in found] == ["kb/causes/half-copied.yaml"]
    excuse = Unbracketed(id="x", entry="half-copied", package="torch", bound=">=1.8", reason="Bisected.")
    excused = replace(made, bounds={"x": excuse})
    assert list(bounds_are_bracketed(excused, runs(made, "new"))) == []
    stale = replace(made, bounds={"x": excuse.model_copy(update={"bound": ">=1.7"})})
    assert sorted(item.path for item in bounds_are_bracketed(stale, runs(made, "new"))) == [
        "kb/bounds.toml",
        "kb/causes/half-copied.yaml",
    ]
