"""Merging, staleness, and what the runs files prove."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb.evidence import versions_of
from unmeta.kb.load import Catalogue, load
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.verify import ledger
from unmeta.verify.judge import State

Tree = Callable[[Mapping[str, str]], Path]
NOW = {"python": "3.11", "torch": "2.0"}
RUN = Observation("a" * 12, "passed", True, date="2026-01-01")
CRASH = Event(
    "exception", "NotImplementedError", "no data!", chain=(Raised("NotImplementedError", "no data!"),)
)


def runs(stack: str = "here", versions: Mapping[str, str] = NOW, **snippets: Observation) -> Runs:
    return Runs(stack, "cpu", versions, {f"case/{name}.py": seen for name, seen in snippets.items()})


def record(root: Path, *new: Runs, known: Sequence[str] = ("case/a.py", "case/b.py")) -> list[str]:
    written = ledger.record(root, new, known)
    return [path.relative_to(root).as_posix() for path in written]


def files(root: Path) -> dict[str, bytes]:
    folder = ledger.folder(root)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}


# merging


def test_first_recording() -> None:
    assert list(ledger.merge(None, runs(b=RUN, a=RUN)).snippets) == ["case/a.py", "case/b.py"]


def test_time_and_memory_are_not_kept() -> None:
    assert ledger.merge(None, runs(a=replace(RUN, seconds=9.0, peak_mb=9.0))) == runs(a=RUN)


def test_day_and_output_are_no_news() -> None:
    again = replace(RUN, date="2026-02-02", output="x")
    assert ledger.merge(runs(a=RUN), runs(a=again)) == runs(a=RUN)


def test_how_often_an_event_came_is_no_news() -> None:
    event = Event("log", "WARNING", "x", count=7)
    first, again = replace(RUN, events=(event,)), replace(RUN, events=(replace(event, count=8),))
    assert ledger.merge(runs(a=first), runs(a=again)) == runs(a=first)


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "b" * 12},
        {"outcome": "missed"},
        {"goal_reached": False},
        {"note": "asked the network for x"},
        {"events": (Event("log", "WARNING", "x"),)},
    ],
)
def test_what_a_run_shows_is_news(change: dict[str, object]) -> None:
    again = replace(RUN, date="2026-02-02", **change)  # type: ignore[arg-type]
    assert ledger.merge(runs(a=RUN), runs(a=again)) == runs(a=again)


def test_a_part_leaves_the_rest_alone() -> None:
    again = replace(RUN, outcome="missed")
    assert ledger.merge(runs(a=RUN, b=RUN), runs(b=again)) == runs(a=RUN, b=again)


def test_older_versions_stay_with_their_observation() -> None:
    moved = {"python": "3.11", "torch": "2.1", "peft": "0.1"}
    merged = ledger.merge(runs(a=RUN, b=RUN), runs(versions=moved, b=RUN))
    assert versions_of(merged, merged.snippets["case/a.py"]) == NOW
    assert versions_of(merged, merged.snippets["case/b.py"]) == moved
    assert ledger.merge(merged, runs(versions=moved, a=RUN)) == runs(versions=moved, a=RUN, b=RUN)


# files


def test_what_was_recorded_is_read_again(tmp_path: Path) -> None:
    seen = replace(RUN, outcome="raised", goal_reached=False, events=(CRASH,), output="1", note="x")
    recorded = Runs("here", "cpu", NOW, {"case/a.py": seen, "facts/f.py": RUN})
    far = Runs("far", "cuda", {"python": "3.11"}, {"case/a.py": seen})
    assert record(tmp_path, recorded, far, known=["case/a.py", "facts/f.py"]) == [
        "kb/runs/case.json",
        "kb/runs/facts/f.json",
    ]
    assert ledger.load(tmp_path) == {"far-cuda": far, "here": recorded}


def test_what_two_stacks_saw_alike_stands_once(tmp_path: Path) -> None:
    seen = replace(RUN, outcome="raised", goal_reached=False, events=(CRASH,))
    record(tmp_path, runs(a=seen), runs("far", a=replace(seen, note="x")))
    text = (ledger.folder(tmp_path) / "case.json").read_text(encoding="utf-8")
    assert text.count("no data!") == 1
    assert text.count('"note"') == 1
    record(tmp_path, runs("far", a=seen))
    text = (ledger.folder(tmp_path) / "case.json").read_text(encoding="utf-8")
    assert '"seen": {"far": "2026-01-01", "here": "2026-01-01"}' in text


def test_a_recording_tells_its_files_in_order_and_an_equal_one_writes_none(tmp_path: Path) -> None:
    both = Runs("here", "cpu", NOW, {"case/a.py": RUN, "another/c.py": RUN})
    known = ["case/a.py", "another/c.py"]
    told = ["kb/runs/another.json", "kb/runs/case.json"]
    assert record(tmp_path, both, known=known) == told
    before = {path: path.stat().st_mtime_ns for path in ledger.folder(tmp_path).iterdir()}
    assert record(tmp_path, both, known=known) == told
    assert {path: path.stat().st_mtime_ns for path in ledger.folder(tmp_path).iterdir()} == before


def test_what_cannot_be_read_is_not_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    root = tmp_path / "checkout"
    record(root, runs(a=RUN))
    (ledger.folder(root) / "case.json").write_text("[]")
    with pytest.raises(
        ledger.LedgerError, match=r"(?s)cannot add to .*kb/runs: .*case\.json.*what was recorded is kept"
    ):
        record(root, runs(b=RUN))
    assert (ledger.folder(root) / "case.json").read_text() == "[]"


def test_the_scripts_of_a_catalogue_are_its_snippets_programs_and_repaired_copies() -> None:
    found = ledger.known(load(Path(__file__).parents[1] / "good"))
    assert {key for key in found if key.startswith("programs/")} >= {
        key.removesuffix("/repaired") for key in found if key.endswith("/repaired")
    }
    assert any(key.endswith("/repaired") for key in found)
    assert any(key.endswith(".py") for key in found)


def test_another_snippet_changes_one_file(tmp_path: Path) -> None:
    record(
        tmp_path,
        Runs("here", "cpu", NOW, {"case/a.py": RUN, "facts/f.py": RUN}),
        known=["case/a.py", "facts/f.py"],
    )
    before = files(tmp_path)
    record(tmp_path, runs(a=replace(RUN, digest="b" * 12)))
    after = files(tmp_path)
    assert [name for name in before if before[name] != after[name]] == ["case.json"]


def test_snippets_that_are_gone_are_dropped_where_others_ran(tmp_path: Path) -> None:
    record(tmp_path, runs(a=RUN, b=RUN), runs("far", a=RUN, b=RUN))
    record(tmp_path, runs(b=RUN), known=["case/b.py"])
    assert [list(item.snippets) for item in ledger.load(tmp_path).values()] == [["case/b.py"]] * 2
    record(tmp_path, Runs("here", "cpu", NOW, {"facts/f.py": RUN}), known=["facts/f.py"])
    assert "case.json" in files(tmp_path)


MANY = {
    f"case/{letter}.py": replace(
        RUN,
        outcome="raised",
        goal_reached=False,
        events=(CRASH, Event("log", "WARNING", letter))[:: (1, -1)[at % 2]],
    )
    for at, letter in enumerate("abcdef")
}


@pytest.mark.parametrize("order", [1, -1])
def test_shards_give_the_bytes_of_one_process(tmp_path: Path, order: int) -> None:
    stacks = {name: Runs(name, "cpu", NOW, MANY) for name in ("here", "far")}
    one, merged = tmp_path / "one", tmp_path / "merged"
    record(one, *stacks.values(), known=list(MANY))
    for number in range(3)[::order]:
        shard = tmp_path / f"shard{number}"
        part = dict(list(MANY.items())[number::3])
        record(shard, *(replace(item, snippets=part) for item in stacks.values()), known=list(MANY))
        record(merged, *ledger.load(shard).values(), known=list(MANY))
    assert files(merged) == files(one)


def test_recorders_at_once_lose_nothing(tmp_path: Path) -> None:
    jobs = [
        multiprocessing.get_context("fork").Process(
            target=record, args=(tmp_path, Runs(f"stack-{n}", "cpu", NOW, MANY)), kwargs={"known": list(MANY)}
        )
        for n in range(6)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert {name: len(item.snippets) for name, item in ledger.load(tmp_path).items()} == {
        f"stack-{n}": len(MANY) for n in range(6)
    }
    assert not list(ledger.folder(tmp_path).glob(".*"))


def test_what_cannot_be_written_is_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "kb").write_text("no folder")
    with pytest.raises(
        ledger.LedgerError, match=r"(?s)cannot add to .*`unmeta runs merge .*unmeta-runs-"
    ) as caught:
        record(root, runs(a=RUN))
    aside = Path(str(caught.value).rpartition("merge ")[2].rstrip("`"))
    assert ledger.load(aside) == {"here": runs(a=RUN)}


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    root = tmp_path / "checkout"
    record(root, runs(a=RUN))
    before = files(root)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(Path, "replace", full)
        with pytest.raises(ledger.LedgerError, match=r"(?s)No space left.*nor can it be kept elsewhere"):
            record(root, runs(a=replace(RUN, outcome="missed")))
    assert files(root) == before
    assert not list(ledger.folder(root).glob(".*"))


def test_a_broken_file_is_a_clear_error(tmp_path: Path) -> None:
    record(tmp_path, runs(a=RUN))
    (ledger.folder(tmp_path) / "case.json").write_text("[]")
    with pytest.raises(
        ledger.LedgerError, match=r"kb/runs/case\.json:1: bad-runs: .*\n.*restore the file with git"
    ):
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
    with pytest.raises(
        ledger.LedgerError, match=r"(?s)not the stack 'old': torch 2\.0.*\n    → pip install torch==1\.0"
    ):
        ledger.matching_stack(stacks, NOW, "old")


@pytest.mark.parametrize(
    ("here", "wanted", "advice"),
    [
        ({"python": "3.10", "torch": "2.0"}, "new", "    → use Python 3.11"),
        ({"python": "3.11", "torch": "1.1"}, "full", "    → pip install torch==2.0 peft==0.1"),
        ({"python": "3.11", "torch": "1.1", "peft": "0.1"}, "full", "    → pip install torch==2.0"),
        ({"python": "3.11", "torch": "1.1"}, "more", '    → pip install torch==3.0 "extra[all]>=2"'),
    ],
)
def test_what_makes_a_machine_a_stack_is_a_line_of_its_own(
    tree: Tree, here: dict[str, str], wanted: str, advice: str
) -> None:
    text = (
        '[new]\ntitle = "New"\nreference = true\npython = "3.11"\npackages = {torch = "2.0"}\n'
        '[full]\ntitle = "Full"\npython = "3.11"\npackages = {torch = "2.0", peft = "0.1"}\n'
        '[more]\ntitle = "More"\npython = "3.11"\npackages = {torch = "3.0"}\nalso = ["extra[all]>=2"]\n'
    )
    with pytest.raises(ledger.LedgerError) as caught:
        ledger.matching_stack(load(tree({"kb/stacks.toml": text})), here, wanted)
    assert str(caught.value).split("\n")[1:] == [advice]


def test_of_stacks_that_do_not_fit_the_one_with_fewest_differences_is_named(stacks: Catalogue) -> None:
    with pytest.raises(
        ledger.LedgerError, match=r"nothing can be recorded; nearest is 'new': torch 2\.1 \(stack: 2\.0\)\n"
    ):
        ledger.matching_stack(
            replace(stacks, stacks={name: stacks.stacks[name] for name in ("full", "new")}),
            {"python": "3.11", "torch": "2.1"},
        )


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
    python = "2.7" if stack == "far" else "3.11"
    versions = {"python": python} if stack == "here" else {"python": python, "torch": "1.0"}
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
    assert "python 3.11 (stack: 3.12)" in verdict.reasons[0].message


def test_runs_of_a_stack_that_is_gone_are_stale(tiny_catalogue: Catalogue) -> None:
    gone = replace(recorded(tiny_catalogue), stack="gone")
    assert ledger.cells(tiny_catalogue, {"gone": gone})["facts/one-is-one.py", "gone"].state is State.STALE


def test_a_stack_is_forgotten_with_the_files_that_it_alone_filled(tmp_path: Path) -> None:
    known = ("case/a.py", "other/c.py")
    both = replace(runs(), snippets={"case/a.py": RUN, "other/c.py": RUN})
    record(tmp_path, both, known=known)
    record(tmp_path, runs("there", a=RUN), known=known)
    with pytest.raises(ledger.LedgerError, match=r"no runs of 'gone'; there are those of here, there$"):
        ledger.drop(tmp_path, "gone")
    assert "other.json" in files(tmp_path)
    dropped = [path.relative_to(tmp_path).as_posix() for path in ledger.drop(tmp_path, "here")]
    assert dropped == ["kb/runs/case.json", "kb/runs/other.json"]
    left = ledger.load(tmp_path)
    assert {name: list(item.snippets) for name, item in left.items()} == {"there": ["case/a.py"]}
    assert "other.json" not in files(tmp_path)
    ledger.drop(tmp_path, "there")
    with pytest.raises(ledger.LedgerError, match=r"those of none$"):
        ledger.drop(tmp_path, "there")


# several stacks

NEAR = '[near]\ntitle = "Near"\npython = "3.11"\npackages = {torch = "1.0"}\n'


def with_near(tree: Tree, tiny: Mapping[str, str], release: str = "1.0", **files: str) -> Catalogue:
    """The tiny catalogue with a stack more, on which its cause exists; its runs are of torch 1.0."""
    stacks = tiny["kb/stacks.toml"] + NEAR.replace("1.0", release)
    return load(tree({**tiny, "kb/stacks.toml": stacks, **files}))


@pytest.fixture
def two(tree: Tree, tiny: dict[str, str]) -> Catalogue:
    return with_near(tree, tiny)


def test_of_a_case_that_cannot_run_on_a_stack_no_older_run_is_stale(tree: Tree, tiny: dict[str, str]) -> None:
    catalogue = with_near(tree, tiny, "1.1")
    key = "copy-lost/fix-skip.py"
    assert ledger.cells(catalogue, {"near": recorded(catalogue, "near")})[key, "near"].state is State.STALE
    cause = tiny["kb/causes/copy-lost.yaml"].replace('{python: ">=3"}', '{python: ">=3", torch: ">=2"}')
    catalogue = with_near(tree, tiny, "1.1", **{"kb/causes/copy-lost.yaml": cause})
    assert ledger.cells(catalogue, {"near": recorded(catalogue, "near")})[key, "near"].state is State.NOT_RUN


def test_a_failure_anywhere_outweighs_every_other_state(tiny_catalogue: Catalogue) -> None:
    wrong = recorded(tiny_catalogue, "far", trap_zero={"outcome": "passed"})
    stale = recorded(tiny_catalogue, broken={"digest": "0" * 12}, fix_skip=None)
    assert state(tiny_catalogue, stale, wrong) is State.FAILS


def test_a_stale_case_outweighs_one_that_was_not_run(tiny_catalogue: Catalogue) -> None:
    for change in (
        {"broken": {"digest": "0" * 12}, "trap_zero": None},
        {"broken": None, "trap_zero": {"digest": "0" * 12}},
    ):
        assert state(tiny_catalogue, recorded(tiny_catalogue, **change)) is State.STALE


def test_a_stale_run_of_the_reference_stack_spoils_the_proof_whatever_holds_elsewhere(two: Catalogue) -> None:
    stale = recorded(two, fix_skip={"digest": "0" * 12})
    near = recorded(two, "near")
    assert ledger.cells(two, {"near": near})["copy-lost/fix-skip.py", "near"].state is State.HOLDS
    assert state(two, stale, near) is State.STALE
    assert state(two, recorded(two, fix_skip=None), near) is State.HOLDS


def test_a_stale_run_elsewhere_counts_where_no_stack_shows_the_case(two: Catalogue) -> None:
    near = recorded(two, "near", fix_skip={"digest": "0" * 12})
    assert state(two, recorded(two, fix_skip=None), near) is State.STALE
    assert state(two, recorded(two), near) is State.HOLDS


def test_the_status_counts_stacks_once_and_cells_everywhere(two: Catalogue) -> None:
    here, near = recorded(two), recorded(two, "near", fix_skip={"digest": "0" * 12})
    table = {
        "here": here,
        "here-cuda": replace(here, device="cuda"),
        "near": near,
        "none": replace(near, stack="none", snippets={}),
    }
    found = ledger.status(two, table)
    assert found["stacks"] == 2, "one on two devices, and not one without any run"
    assert found["stale"] == 0, "of the reference stack"
    states = [cell.state for cell in ledger.cells(two, table).values()]
    assert found["cells"] == states.count(State.HOLDS)
    assert State.STALE in states


def test_a_fact_is_proved_where_it_holds_somewhere_and_fails_nowhere(tiny_catalogue: Catalogue) -> None:
    here, far = recorded(tiny_catalogue), recorded(tiny_catalogue, "far")
    fact = "facts/one-is-one.py"
    wrong = replace(far, snippets={fact: replace(far.snippets[fact], outcome="missed")})
    assert ledger.status(tiny_catalogue, {"here": here, "far": far})["proved_facts"] == 1
    assert ledger.status(tiny_catalogue, {"here": here, "far": wrong})["proved_facts"] == 0
    assert ledger.status(tiny_catalogue, {"here": replace(here, snippets={})})["proved_facts"] == 0
