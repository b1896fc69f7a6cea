"""Mutations: whatever is spoilt in an entry, the judge says so, and says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb.evidence import versions_of
from unmeta.kb.load import Catalogue
from unmeta.kb.model import inside
from unmeta.kb.runs import Observation, Runs
from unmeta.kb.snippets import Case, Role, Snippet, broken_key
from unmeta.verify import ledger
from unmeta.verify.judge import State, Verdict, judge
from unmeta.verify.sandbox import Sandbox, installed

CAUSE = "load-state-dict-no-op"
BROKEN, FIX = f"{CAUSE}/broken.py", f"{CAUSE}/fix-assign.py"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    pytest.importorskip("torch")
    with Sandbox() as made:
        yield made


def with_text(catalogue: Catalogue, key: str, text: str) -> Catalogue:
    return replace(catalogue, snippets={**catalogue.snippets, key: Snippet(key, text)})


def case(catalogue: Catalogue, key: str) -> Case:
    found = catalogue.case(key)
    assert found is not None
    return found


def verdict(catalogue: Catalogue, sandbox: Sandbox, key: str) -> Verdict:
    seen = sandbox.run(catalogue.snippets[key], case(catalogue, key).needs)
    return judge(case(catalogue, key), seen, catalogue, installed())


def told(found: Verdict) -> str:
    assert found.state is State.FAILS
    assert all(reason.remedy for reason in found.reasons)
    return "\n".join(map(str, found.reasons))


# one cause, run again


def test_unspoilt(catalogue: Catalogue, sandbox: Sandbox) -> None:
    assert verdict(catalogue, sandbox, BROKEN).state is State.HOLDS
    assert verdict(catalogue, sandbox, FIX).state is State.HOLDS


def test_a_fix_swapped_with_the_broken_snippet(catalogue: Catalogue, sandbox: Sandbox) -> None:
    broken, fix = catalogue.snippets[BROKEN].text, catalogue.snippets[FIX].text
    swapped = with_text(with_text(catalogue, BROKEN, fix), FIX, broken)
    text = told(verdict(swapped, sandbox, FIX))
    assert "the fix ends in 'no-data-to-copy'" in text
    assert "change the snippet" in text
    assert "nothing is broken here" in told(verdict(swapped, sandbox, BROKEN))


def test_a_goal_deleted(catalogue: Catalogue, sandbox: Sandbox) -> None:
    for key in (BROKEN, FIX):
        spoilt = with_text(catalogue, key, catalogue.snippets[key].text.partition("# goal")[0])
        assert "end it with the goal" in told(verdict(spoilt, sandbox, key))


@pytest.mark.parametrize(
    "line",
    [
        'raise NotImplementedError("Cannot copy out of meta tensor; no data!")',
        "exec(\"raise NotImplementedError('Cannot copy out of meta tensor; no data!')\")",
    ],
)
def test_a_broken_snippet_that_raises_by_itself(catalogue: Catalogue, sandbox: Sandbox, line: str) -> None:
    text = catalogue.snippets[BROKEN].text.replace("model.to(device)", line)
    assert "the error must come from the library" in told(
        verdict(with_text(catalogue, BROKEN, text), sandbox, BROKEN)
    )


def test_a_broken_snippet_that_warns_by_itself(catalogue: Catalogue, sandbox: Sandbox) -> None:
    wording = catalogue.symptoms["copy-into-meta-is-no-op"].messages["assign-hint"].text
    warn = f"import warnings\nwarnings.warn({wording.replace('{key}', 'weight')!r})"
    text = catalogue.snippets[BROKEN].text.replace("model.load_state_dict(checkpoint)", warn)
    found = told(verdict(with_text(catalogue, BROKEN, text), sandbox, BROKEN))
    assert "printed the warning by itself" in found


def test_a_fix_that_prints_the_symptoms_warning(catalogue: Catalogue, sandbox: Sandbox) -> None:
    head, goal, tail = catalogue.snippets[FIX].text.partition("# goal")
    load = "nn.Linear(4, 2, device='meta').load_state_dict(nn.Linear(4, 2).state_dict())\n\n"
    found = told(verdict(with_text(catalogue, FIX, head + load + goal + tail), sandbox, FIX))
    assert "the fix prints 'copy-into-meta-is-no-op'" in found


def test_a_snippet_edited_after_its_run(catalogue: Catalogue, sandbox: Sandbox) -> None:
    seen = sandbox.run(catalogue.snippets[FIX])
    edited = with_text(catalogue, FIX, catalogue.snippets[FIX].text + "\n")
    found = judge(case(edited, FIX), seen, edited, installed())
    assert found.state is State.STALE
    assert found.reasons[0].remedy == f"pytest snippets/{FIX} --record"


# every cause, on its recorded runs

Held = tuple[Case, Runs, Observation]


@pytest.fixture(scope="module")
def held(catalogue: Catalogue, root: Path) -> list[Held]:
    """Every cell that holds, inside `applies`."""
    found = []
    for runs in ledger.load(root).values():
        for item in catalogue.cases():
            if ledger.cell(item, runs, catalogue).state is State.HOLDS:
                seen = runs.snippets[item.key]
                if inside(item.applies, versions_of(runs, seen)):
                    found.append((item, runs, seen))
    return found


def again(item: Case, held: Held, catalogue: Catalogue, observation: Observation | None = None) -> Verdict:
    _, runs, seen = held
    versions = versions_of(runs, seen)
    seen = observation or seen
    # Only the text of the entry is spoilt here; an edited snippet is another test.
    seen = replace(seen, digest=catalogue.snippets[item.key].digest)
    return judge(item, seen, catalogue, versions, runs.device)


def test_every_wording_changed(catalogue: Catalogue, held: list[Held]) -> None:
    printed = 0
    for one in held:
        item, _, _ = one
        for shown in item.shows:
            symptom = catalogue.symptoms[shown.id]
            if not symptom.messages:
                continue
            printed += 1
            other = {
                name: wording.model_copy(update={"text": "Otherwise: " + wording.text})
                for name, wording in symptom.messages.items()
            }
            spoilt = symptom.model_copy(update={"messages": other})
            mutant = replace(catalogue, symptoms={**catalogue.symptoms, shown.id: spoilt})
            text = told(again(item, one, mutant))
            assert f"does not show {shown.id!r}" in text
            assert "add the new wording to the symptom" in text
    assert printed > 20


def test_every_symptom_withdrawn(catalogue: Catalogue, held: list[Held]) -> None:
    withdrawn = 0
    for one in held:
        item, _, _ = one
        for shown in item.shows:
            fewer = tuple(other for other in item.shows if other.id != shown.id)
            if fewer:
                withdrawn += 1
                assert again(replace(item, shows=fewer), one, catalogue).state is State.FAILS, item.key
    assert withdrawn > 5


def test_every_way_swapped_with_what_it_mends(catalogue: Catalogue, held: list[Held]) -> None:
    swaps = 0
    cells = {(item.key, runs.name): (item, runs, seen) for item, runs, seen in held}
    for item, runs, seen in held:
        broken = cells.get((broken_key(item.owner, item.face), runs.name))
        if item.role is Role.FIX and broken is not None:
            swaps += 1
            assert again(item, broken, catalogue).state is State.FAILS, item.key
            assert "nothing is broken here" in told(again(broken[0], broken, catalogue, seen)), broken[0].key
    assert swaps > 20
