"""Why a run does not count, word for word, and which of several versions a stack's runs are filed under."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb import evidence
from unmeta.kb.evidence import EvidenceError, Reason
from unmeta.kb.findings import Finding
from unmeta.kb.load import Catalogue, load
from unmeta.kb.runs import Observation, Runs
from unmeta.kb.snippets import Role

GOOD = Path(__file__).resolve().parent.parent / "good"
KEY, OTHER = "half-copied/broken.py", "half-copied/fix-build-for-real.py"


@pytest.fixture(scope="module")
def good() -> Catalogue:
    return load(GOOD)


def seen(good: Catalogue, key: str = KEY, **more: object) -> Observation:
    observation = Observation(good.snippets[key].digest, "raised", False)
    return replace(observation, **more)  # type: ignore[arg-type]


def told(reason: Reason | None) -> tuple[str, str]:
    assert reason is not None
    return reason.message, reason.remedy


def test_a_reason_without_a_remedy_is_its_message() -> None:
    assert str(Reason("why")) == "why"
    assert str(Reason("why", "what to do")) == "why\n    → what to do"


@pytest.mark.parametrize(("count", "more"), [(5, ""), (6, "\nand 1 more file"), (9, "\nand 4 more files")])
def test_an_error_names_the_first_files_and_counts_the_rest(count: int, more: str) -> None:
    found = [Finding(f"kb/runs/{n}.json", 1, "bad-runs", "is bad", "mend it") for n in range(count)]
    told = "\n".join(f"kb/runs/{n}.json:1: bad-runs: is bad\n    → mend it" for n in range(5))
    assert str(EvidenceError(reversed(found))) == told + more


def test_other_versions_in_words(good: Catalogue) -> None:
    stack = good.reference
    assert evidence.mismatches(stack, {"python": "3.11"}) == ["torch none (stack: 2.13.0)"]
    assert evidence.mismatches(stack, {"python": "3.110", "torch": "2.13.0"}) == [
        "python 3.110 (stack: 3.11)"
    ]
    assert evidence.mismatches(stack, {"torch": "2.13.0.1"}) == [
        "python none (stack: 3.11)",
        "torch 2.13.0.1 (stack: 2.13.0)",
    ]


def test_an_edited_snippet_in_words(good: Catalogue) -> None:
    snippet = good.snippets[KEY]
    assert evidence.edited(snippet, seen(good)) is None
    remedy = f"pytest snippets/{KEY} --record"
    assert told(evidence.edited(snippet, seen(good, digest="0" * 12, date="2026-01-02"))) == (
        f"snippets/{KEY} was edited after its run of 2026-01-02",
        remedy,
    )
    assert told(evidence.edited(snippet, seen(good, digest="0" * 12))) == (
        f"snippets/{KEY} was edited after its run of unknown date",
        remedy,
    )


def test_a_moved_stack_in_words(good: Catalogue) -> None:
    stack = good.reference
    here = Runs(stack.id, "cpu", stack.versions, {KEY: seen(good)})
    assert evidence.moved(good, here, KEY) is None
    assert evidence.moved(good, replace(here, versions={"torch": "1.0"}), OTHER) is None
    assert told(evidence.moved(good, replace(here, stack="gone"), KEY)) == (
        "kb/stacks.toml has no stack 'gone'",
        "",
    )
    assert told(evidence.moved(good, replace(here, versions={"python": "3.10"}), KEY)) == (
        "run with other versions: python 3.10 (stack: 3.11); torch none (stack: 2.13.0)",
        f"pytest snippets/{KEY} --record on the stack {stack.id!r}",
    )


def test_a_run_that_does_not_count_hides_no_other(good: Catalogue) -> None:
    stack = good.reference
    stale = seen(good, digest="0" * 12)
    for snippets in (
        {OTHER: seen(good, OTHER)},
        {KEY: stale, OTHER: seen(good, OTHER)},
        {KEY: seen(good, versions={"torch": "1.0"}), OTHER: seen(good, OTHER)},
    ):
        runs = Runs(stack.id, "cpu", stack.versions, snippets)
        assert [found.case.key for found in evidence.counted(good, [runs])] == [OTHER]
        assert list(evidence.counted(good, [runs], Role.BROKEN)) == []


def test_the_usual_versions_of_a_stack_are_those_of_most_runs() -> None:
    old, new = {"torch": "1.0"}, {"torch": "2.0"}
    made = {
        "a/broken.py": Observation("0", "passed", True, versions=old),
        "b/broken.py": Observation("0", "passed", True, versions=new),
        "c/broken.py": Observation("0", "passed", True, versions=new),
    }
    runs = evidence.gathered("here", made)
    assert dict(runs.versions) == new
    assert {key: evidence.versions_of(runs, item) for key, item in runs.snippets.items()} == {
        "a/broken.py": old,
        "b/broken.py": new,
        "c/broken.py": new,
    }
    tied = evidence.gathered("here", {key: made[key] for key in ("b/broken.py", "a/broken.py")})
    assert dict(tied.versions) == old
    assert dict(evidence.gathered("here", {}).versions) == {}


def test_what_stands_in_the_way_in_words(tmp_path: Path) -> None:
    folder = tmp_path / "kb" / "runs"
    folder.mkdir(parents=True)
    (folder / "case.json").write_text("{}", encoding="utf-8")
    (folder / "a.txt").write_text("x", encoding="utf-8")
    _, found = evidence.read(tmp_path)
    restore = (
        "runs are written by `pytest … --record`: restore the file with git, or delete it and record again"
    )
    assert [(item.path, item.message, item.remedy) for item in sorted(found)] == [
        ("kb/runs/_versions.json", "is missing", restore),
        ("kb/runs/a.txt", "only runs live here", "move or delete it"),
    ]
