"""Rules about recorded runs, on the tiny catalogue with runs made up for the purpose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Clue, Noise, PublicReport, Shown
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.verify.checks import findings_of_proof

GOOD = Path(__file__).resolve().parent / "good"
PROGRAM = "programs/half-copied/move-early"
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
        **of_programs(good),
    } | changes
    return {"here": Runs("here", "cpu", good.reference.versions, table)}


def of_programs(good: Catalogue) -> dict[str, Observation]:
    editions = {edition.key: edition for program in good.programs.values() for edition in program.editions()}
    found = {key: Observation(edition.digest, "passed", False) for key, edition in editions.items()}
    error = raised("NotImplementedError", MESSAGE)
    found[PROGRAM] = replace(found[PROGRAM], outcome="raised", events=(error,))
    miss = "programs/near-misses/wrong-key"
    found[miss] = replace(found[miss], outcome="raised", events=(raised("KeyError", "'b'"),))
    return found


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
    told = replace(of_programs(good)[PROGRAM], outcome="exited", note="sys.exit(1)", events=())
    found = rules(good, runs(good, **{key: other, PROGRAM: told}))
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


# an entry against what its own runs printed


def cause(good: Catalogue, **changes: object) -> Catalogue:
    changed = good.causes["half-copied"].model_copy(update=changes)
    return replace(good, causes={**good.causes, "half-copied": changed})


def rivals(good: Catalogue, names: str) -> Catalogue:
    """The catalogue with causes that name a function which the snippet of half-copied goes through."""
    own = good.causes["half-copied"]
    clue = Clue(through=["torch.nn.modules.module:Module.to"])
    shown = [Shown(id=item.id, tells="with", clues=[clue]) for item in own.symptoms]
    copies = {name: own.model_copy(update={"id": name, "symptoms": shown}) for name in names}
    asks = [Clue(ask="Was it moved?")]
    silent = [Shown(id=item.id, tells="with", clues=asks) for item in own.symptoms]
    return replace(cause(good, symptoms=silent), causes={**cause(good, symptoms=silent).causes, **copies})


def test_an_entry_whose_traceback_leads_elsewhere(good: Catalogue) -> None:
    assert not [
        item for item in findings_of_proof(rivals(good, "ab"), runs(good)) if item.rule == "ranks-another"
    ]
    (found,) = [
        item for item in findings_of_proof(rivals(good, "abc"), runs(good)) if item.rule == "ranks-another"
    ]
    assert (found.path, found.line) == ("kb/causes/half-copied.yaml", 4)
    assert found.message == "what snippets/half-copied/broken.py prints leads to 'a' first"
    assert "`through: torch.nn.modules.module:to`" in found.remedy
    assert "make this a face of 'a'" in found.remedy
    assert found.remedy.startswith("run `nox -s fit`, for the search knows nothing of it")


def test_a_misspelt_function(good: Catalogue) -> None:
    clues = [Clue(through=["torch.nn.modules.module:Module.tooo", "user:forward > *:anything"])]
    shown = Shown(id="nothing-to-copy", tells="with", clues=clues)
    found = findings_of_proof(cause(good, symptoms=[shown]), runs(good))
    assert [finding.rule for finding in found] == ["unseen-function"]
    assert "goes through torch.nn.modules.module:Module.tooo" in found[0].message
    assert found[0].remedy.startswith("did you mean torch.nn.modules.module:to?")


def test_a_function_that_no_run_goes_through_with_the_reason(good: Catalogue) -> None:
    def found(**clue: object) -> list[tuple[str, str]]:
        shown = Shown(id="nothing-to-copy", tells="with", clues=[Clue(**clue)])  # type: ignore[arg-type]
        every = findings_of_proof(cause(good, symptoms=[shown]), runs(good))
        return [(finding.rule, finding.remedy) for finding in every]

    far, here = "torch.nn.modules.module:Module.cuda", "torch.nn.modules.module:Module.to"
    assert found(through=[here, far], unseen="No GPU here.") == []
    assert found(through=[here]) == []
    assert found(through=[here], unseen="No GPU here.") == [("unseen-function", "remove it")]
    ((rule, remedy),) = found(through=[here, far])
    assert rule == "unseen-function"
    assert "`unseen: <reason>`" in remedy


def test_a_function_that_only_a_report_names(good: Catalogue) -> None:
    printed = 'File "/x/site-packages/torch/nn/modules/module.py", line 1, in cuda'
    report = PublicReport(source="a/b#1", printed=printed, context="x", cause="half-copied")
    shown = Shown(
        id="nothing-to-copy", tells="with", clues=[Clue(through=["torch.nn.modules.module:Module.cuda"])]
    )
    catalogue = replace(cause(good, symptoms=[shown]), reports=[report])
    assert findings_of_proof(catalogue, runs(good)) == []


def test_runs_of_a_script_that_is_gone(good: Catalogue) -> None:
    seen = runs(good)["here"].snippets["facts/copy-raises.py"]
    extra = {"half-copied/fix-old.py": seen, "gone/broken.py": seen, "facts/gone.py": seen}
    found = findings_of_proof(good, runs(good, **extra))
    assert [(finding.rule, finding.path) for finding in found] == [
        ("orphan-runs", "kb/runs/facts/gone.json"),
        ("orphan-runs", "kb/runs/gone.json"),
        ("orphan-runs", "kb/runs/half-copied.json"),
    ]
    assert "fix-old.py" in found[2].message
    assert "unmeta rename" in found[2].remedy


@pytest.mark.parametrize("stack", ["here", "far"])
def test_a_stack_that_moved_is_one_finding_with_one_command(good: Catalogue, stack: str) -> None:
    far = good.reference.model_copy(update={"id": "far", "reference": False})
    stacks = {"here": good.reference, "far": far}
    recorded = runs(good) | {"far": replace(runs(good)["here"], stack="far")}
    both = replace(good, stacks=stacks)
    assert findings_of_proof(both, recorded) == []
    moved = stacks[stack].model_copy(update={"packages": {"torch": "9.0"}})
    found = findings_of_proof(replace(both, stacks={**stacks, stack: moved}), recorded)
    assert [(finding.rule, finding.path) for finding in found] == [("moved-stack", "kb/stacks.toml")]
    assert f"7 of 7 runs of {stack}: run with other versions: torch 2.13.0 (stack: 9.0)" in found[0].message
    assert found[0].remedy == f'nox -s "stacks({stack})" -- --record --stale'


def test_runs_of_a_stack_that_is_gone(good: Catalogue) -> None:
    recorded = runs(good) | {"far": replace(runs(good)["here"], stack="far")}
    found = findings_of_proof(good, recorded)
    assert [finding.rule for finding in found] == ["moved-stack"]
    assert found[0].remedy.endswith("`unmeta runs drop far`")


def test_an_import_that_the_reference_stack_has_not(good: Catalogue) -> None:
    key = "half-copied/broken.py"
    text = good.snippets[key].text.replace("import torch\n", "import timm\nimport torch\n", 1)
    changed = replace(good, snippets={**good.snippets, key: replace(good.snippets[key], text=text)})
    found = [item for item in findings_of_proof(changed, runs(good)) if item.path == f"snippets/{key}"]
    assert [item.rule for item in found] == ["stale-run"]
    assert found[0].message.startswith("imports timm, which the reference stack has not")
    assert 'under `needs` of kb/causes/half-copied.yaml: {timm: ">=…"}' in found[0].remedy


def test_a_program_that_was_edited_or_never_run_is_stale(good: Catalogue) -> None:
    seen = of_programs(good)
    edited = replace(seen[PROGRAM], digest="0" * 12)
    assert rules(good, runs(good, **{PROGRAM: edited})) == [("stale-run", f"{PROGRAM}/program.yaml")]
    fresh = runs(good)["here"]
    left = {key: seen for key, seen in fresh.snippets.items() if not key.endswith("/repaired")}
    assert rules(good, {"here": replace(fresh, snippets=left)}) == [("stale-run", f"{PROGRAM}/program.yaml")]


def test_a_program_whose_repaired_copy_fails_contradicts_its_entry(good: Catalogue) -> None:
    key = f"{PROGRAM}/repaired"
    failed = replace(of_programs(good)[key], outcome="raised", events=(raised("KeyError", "'b'"),))
    assert rules(good, runs(good, **{key: failed})) == [("run-contradicts", f"{PROGRAM}/program.yaml")]
