"""Every rule of the judge, on observations made by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.kb.runs import Event, Frame, Observation, Raised
from unmeta.verify.judge import State, Verdict, claim_lines, judge, obstacle, recognise, seen_lines

HERE = {"python": "3.11.7"}
Tree = Callable[[Mapping[str, str]], Path]
Ends = Callable[[str], dict[str, str]]

LIBRARY = Frame("fakelib.py", 3, "fail", "raise NotImplementedError(text)")
CALL = Frame("broken.py", 7, "<module>", "fakelib.fail()", library=False)
WARNING = Event("warning", "UserWarning", "nothing was copied", origin="fakelib.py")
LOG = Event("log", "WARNING", "weights are missing", origin="fakelib")


def raised(type_: str = "NotImplementedError", text: str = "no data!", *frames: Frame) -> Event:
    return Event("exception", type_, text, chain=(Raised(type_, text, frames or (CALL, LIBRARY)),))


GOAL_FAILED = Event(
    "exception",
    "AssertionError",
    "",
    phase="goal",
    chain=(Raised("AssertionError", "", (Frame("broken.py", 10, "<module>", "assert 0", False),)),),
)


def told(verdict: Verdict) -> str:
    assert verdict.state is State.FAILS
    assert all(reason.remedy for reason in verdict.reasons)
    return "\n".join(map(str, verdict.reasons))


# broken


def test_broken_shows_its_symptoms_in_order(verdict: Callable[..., Verdict]) -> None:
    assert verdict("broken", "raised", WARNING, WARNING, raised()).state is State.HOLDS


def test_broken_in_other_order(verdict: Callable[..., Verdict]) -> None:
    assert "nothing-copied → no-data" in told(verdict("broken", "raised", raised(), WARNING))


def test_broken_lacks_a_symptom(verdict: Callable[..., Verdict]) -> None:
    text = told(verdict("broken", "raised", raised()))
    assert "does not show 'nothing-copied'" in text
    assert "add the new wording" in text


def test_broken_shows_more_than_claimed(verdict: Callable[..., Verdict]) -> None:
    text = told(verdict("broken", "raised", WARNING, LOG, raised()))
    assert "shows 'weights-missing' (log), not claimed" in text


@pytest.mark.parametrize(
    "event",
    [
        Event("warning", "FutureWarning", "will be removed", origin="other.py"),
        Event("log", "ERROR", "something odd", origin="other"),
    ],
)
def test_broken_prints_something_unknown(verdict: Callable[..., Verdict], event: Event) -> None:
    text = told(verdict("broken", "raised", WARNING, event, raised()))
    assert f"is no known symptom: {event.type}: {event.text}" in text


def test_broken_raises_with_another_type(verdict: Callable[..., Verdict]) -> None:
    text = told(verdict("broken", "raised", WARNING, raised("ValueError")))
    assert "the text is that of 'no-data' (exception NotImplementedError)" in text
    assert "does not show 'no-data'" in text


def test_a_symptom_may_name_its_type_qualified(tree: Tree, tiny: dict[str, str]) -> None:
    path = "kb/symptoms/no-data.yaml"
    qualified = tiny[path].replace("type: NotImplementedError", "type: torch.errors.NotImplementedError")
    assert qualified != tiny[path]
    catalogue = load(tree({**tiny, path: qualified}))
    for name in ("NotImplementedError", "torch.errors.NotImplementedError", "other.NotImplementedError"):
        seen = recognise(raised(name), catalogue)
        assert seen is not None
        assert seen.symptom == "no-data"
    assert recognise(raised("torch.errors.Other"), catalogue) is None


def test_a_record_has_a_level_where_a_symptom_has_a_type(tree: Tree, tiny: dict[str, str]) -> None:
    path = "kb/symptoms/weights-missing.yaml"
    catalogue = load(tree({**tiny, path: tiny[path] + "type: fakelib\n"}))
    seen = recognise(LOG, catalogue)
    assert seen is not None
    assert seen.symptom == "weights-missing"


def test_a_warning_is_no_exception(tiny_catalogue: Catalogue) -> None:
    assert recognise(Event("warning", "NotImplementedError", "no data!"), tiny_catalogue) is None
    assert recognise(Event("exception", "UserWarning", "nothing was copied"), tiny_catalogue) is None


def test_a_type_may_be_qualified(tiny_catalogue: Catalogue) -> None:
    seen = recognise(raised("torch.errors.NotImplementedError"), tiny_catalogue)
    assert seen is not None
    assert seen.symptom == "no-data"


def test_the_longest_wording_wins(tiny_catalogue: Catalogue) -> None:
    seen = recognise(raised(text="no data for weight!"), tiny_catalogue)
    assert seen is not None
    assert seen.wording == "named"


def test_broken_passes(verdict: Callable[..., Verdict]) -> None:
    assert "nothing is broken here" in told(verdict("broken", "passed", WARNING))


def test_broken_misses_where_it_should_raise(verdict: Callable[..., Verdict]) -> None:
    text = told(verdict("broken", "missed", WARNING, GOAL_FAILED))
    assert "runs to the goal and fails there, where 'no-data' should have ended it" in text


def test_silent_face_misses_its_goal(verdict: Callable[..., Verdict]) -> None:
    assert verdict("broken-quiet", "missed", GOAL_FAILED).state is State.HOLDS


def test_silent_face_raises(verdict: Callable[..., Verdict]) -> None:
    text = told(verdict("broken-quiet", "raised", raised()))
    assert "nothing is raised before the goal fails" in text
    assert "shows 'no-data' (exception), not claimed" in text


def test_silent_face_warns(verdict: Callable[..., Verdict]) -> None:
    assert "not claimed" in told(verdict("broken-quiet", "missed", WARNING, GOAL_FAILED))


def test_silent_face_passes(verdict: Callable[..., Verdict]) -> None:
    assert "nothing is broken here" in told(verdict("broken-quiet", "passed"))


@pytest.mark.parametrize(
    "code",
    [
        "raise NotImplementedError('no data!')",
        "generator.throw(NotImplementedError('no data!'))",
        "raise(NotImplementedError('no data!'))",
    ],
)
def test_broken_raises_by_itself(verdict: Callable[..., Verdict], code: str) -> None:
    own = raised("NotImplementedError", "no data!", Frame("broken.py", 7, "<module>", code, False))
    text = told(verdict("broken", "raised", WARNING, own))
    assert f"raised NotImplementedError by itself, in line 7: {code}" in text
    assert "remove that line" in text


def test_broken_raises_through_exec(verdict: Callable[..., Verdict]) -> None:
    own = raised("NotImplementedError", "no data!", CALL, Frame("<string>", 1, "<module>", "", False))
    assert "by itself" in told(verdict("broken", "raised", WARNING, own))


@pytest.mark.parametrize(
    "file",
    ["concurrent/futures/_base.py", "asyncio/futures.py", "unittest/mock.py", "multiprocessing/pool.py"],
)
def test_broken_hands_an_error_over(verdict: Callable[..., Verdict], file: str) -> None:
    frames = (CALL, Frame(file, 401, "__get_result", "raise self._exception"))
    text = told(verdict("broken", "raised", WARNING, raised("NotImplementedError", "no data!", *frames)))
    assert f"by itself, in line 7: an error handed over through {file}" in text


def test_an_error_of_a_library_may_come_through_a_thread(verdict: Callable[..., Verdict]) -> None:
    frames = (CALL, Frame("concurrent/futures/thread.py", 58, "run", "result = self.fn()"), LIBRARY)
    event = raised("NotImplementedError", "no data!", *frames)
    assert verdict("broken", "raised", WARNING, event).state is State.HOLDS


def test_broken_wraps_an_own_exception(verdict: Callable[..., Verdict]) -> None:
    inner = Raised("ValueError", "x", (Frame("broken.py", 5, "f", "raise ValueError('x')", False),))
    outer = Raised("NotImplementedError", "no data!", (CALL, LIBRARY), "cause")
    event = Event("exception", "NotImplementedError", "no data!", chain=(inner, outer))
    assert "by itself, in line 5" in told(verdict("broken", "raised", WARNING, event))


def test_compiled_code_may_raise_in_a_line_of_the_snippet(verdict: Callable[..., Verdict]) -> None:
    assert (
        verdict("broken", "raised", WARNING, raised("NotImplementedError", "no data!", CALL)).state
        is State.HOLDS
    )


def test_an_assert_may_meet_the_error_of_a_library(verdict: Callable[..., Verdict]) -> None:
    line = Frame("broken.py", 10, "<module>", "assert value.cpu() == 2", False)
    assert (
        verdict("broken", "raised", WARNING, raised("NotImplementedError", "no data!", line)).state
        is State.HOLDS
    )


@pytest.mark.parametrize("code", ["assert 0", "assert(0)"])
def test_an_assert_above_the_goal(verdict: Callable[..., Verdict], code: str) -> None:
    own = raised("AssertionError", "", Frame("broken.py", 5, "<module>", code, False))
    assert "by itself" in told(verdict("broken", "raised", WARNING, own))


def test_an_own_exception_raised_from_that_of_a_library(verdict: Callable[..., Verdict]) -> None:
    inner = Raised("ValueError", "x", (CALL, LIBRARY))
    own = Frame("broken.py", 9, "<module>", "raise NotImplementedError('no data!')", False)
    outer = Raised("NotImplementedError", "no data!", (own,), "context")
    event = Event("exception", "NotImplementedError", "no data!", chain=(inner, outer))
    assert "by itself, in line 9" in told(verdict("broken", "raised", WARNING, event))


def test_an_error_handed_over_with_no_line_of_the_snippet(verdict: Callable[..., Verdict]) -> None:
    relay = Frame("concurrent/futures/_base.py", 401, "__get_result", "raise self._exception")
    text = told(verdict("broken", "raised", WARNING, raised("NotImplementedError", "no data!", relay)))
    assert "in line 401: an error handed over through concurrent/futures/_base.py" in text


@pytest.mark.parametrize("event", [WARNING, LOG])
def test_broken_prints_by_itself(verdict: Callable[..., Verdict], event: Event) -> None:
    own = Event(event.kind, event.type, event.text, origin="broken.py")
    assert f"printed the {event.kind} by itself" in told(verdict("broken", "raised", WARNING, own, raised()))


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ("exited", "ended itself: note"),
        ("crashed", "interpreter died: note"),
        ("timed-out", "did not end in time: note"),
        ("out-of-memory", "more memory"),
        ("flooded", "printed more"),
        ("left-processes", "left processes behind: note"),
    ],
)
@pytest.mark.parametrize("name", ["broken", "broken-quiet", "fix-skip", "trap-zero", "one-is-one"])
def test_no_claim_holds_for_a_run_that_went_astray(
    verdict: Callable[..., Verdict], name: str, outcome: str, message: str
) -> None:
    assert message in told(verdict(name, outcome, note="note", goal=True))


def test_syntax_error(verdict: Callable[..., Verdict]) -> None:
    event = Event("exception", "SyntaxError", "invalid", chain=(Raised("SyntaxError", "invalid"),))
    assert "not Python" in told(verdict("broken", "raised", event))


@pytest.mark.parametrize("name", ["broken", "fix-skip", "one-is-one"])
def test_network(verdict: Callable[..., Verdict], name: str) -> None:
    events = [WARNING, raised()] if name == "broken" else []
    outcome = "raised" if name == "broken" else "passed"
    assert "without a network" in told(verdict(name, outcome, *events, note="asked the network for x.org"))


OUTSIDE = {"python": "2.7"}


def test_broken_outside_applies_must_not_show_the_cause(verdict: Callable[..., Verdict]) -> None:
    text = told(verdict("broken", "raised", WARNING, raised(), versions=OUTSIDE))
    assert "shows the cause on python 2.7, outside `applies` (python >=3)" in text


@pytest.mark.parametrize(
    ("outcome", "events"),
    [("passed", ()), ("raised", (raised("ImportError", "no such name"),)), ("missed", (GOAL_FAILED,))],
)
def test_broken_outside_applies_may_do_anything_else(
    verdict: Callable[..., Verdict], outcome: str, events: tuple[Event, ...]
) -> None:
    assert verdict("broken", outcome, *events, versions=OUTSIDE).state is State.HOLDS


@pytest.mark.parametrize("name", ["fix-skip", "trap-zero"])
def test_ways_outside_applies_are_not_run(verdict: Callable[..., Verdict], name: str) -> None:
    assert verdict(name, "passed", versions=OUTSIDE).state is State.NOT_RUN


# wordings and their releases

DATED = {
    "kb/symptoms/no-data.yaml": (
        "title: no data!\nkind: exception\ntype: NotImplementedError\n"
        "messages: {plain: {text: no data!, since: {torch: '2.3'}, until: {torch: '2.9'}}}\n"
        "near_misses: [x]\n"
    )
}


@pytest.mark.parametrize(
    ("torch", "words"),
    [("2.2.1", "since torch 2.3; this is 2.2.1"), ("2.10.0", "until torch 2.9; this is 2.10.0")],
)
def test_a_wording_outside_its_releases(verdict: Callable[..., Verdict], torch: str, words: str) -> None:
    versions = {**HERE, "torch": torch}
    text = told(verdict("broken", "raised", WARNING, raised(), files=DATED, versions=versions))
    assert words in text
    assert "kb/symptoms/no-data.yaml" in text


@pytest.mark.parametrize("torch", ["2.3", "2.3.1", "2.9"])
def test_a_wording_inside_its_releases(verdict: Callable[..., Verdict], torch: str) -> None:
    versions = {**HERE, "torch": torch}
    assert verdict("broken", "raised", WARNING, raised(), files=DATED, versions=versions).state is State.HOLDS


# fixes and facts


@pytest.mark.parametrize("name", ["fix-skip", "one-is-one"])
def test_clean_run(verdict: Callable[..., Verdict], name: str) -> None:
    assert verdict(name, "passed").state is State.HOLDS


@pytest.mark.parametrize("name", ["fix-skip", "one-is-one"])
@pytest.mark.parametrize("event", [WARNING, LOG, Event("warning", "UserWarning", "odd")])
def test_clean_run_prints_nothing(verdict: Callable[..., Verdict], name: str, event: Event) -> None:
    text = told(verdict(name, "passed", event))
    assert f"{event.type}: {event.text}" in text
    assert "or name the symptom under `prints`" in text


@pytest.mark.parametrize("name", ["fix-skip", "one-is-one"])
def test_clean_run_raises(verdict: Callable[..., Verdict], name: str) -> None:
    assert "ends in 'no-data': NotImplementedError" in told(verdict(name, "raised", raised()))


PATHS = {"fix-skip": "kb/causes/copy-lost.yaml", "one-is-one": "kb/facts/one-is-one.yaml"}


@pytest.fixture
def printing(tiny: dict[str, str]) -> Callable[..., dict[str, str]]:
    """The tiny fix and fact, said to print something; `more` are further files."""
    cause, fact = PATHS.values()

    def change(prints: str, **more: str) -> dict[str, str]:
        return {
            cause: tiny[cause].replace("why: It works.", f"why: It works., prints: [{prints}]"),
            fact: f"{tiny[fact]}prints: [{prints}]\n",
            **more,
        }

    return change


@pytest.mark.parametrize("name", PATHS)
def test_what_stands_under_prints_is_accepted_and_nothing_else(
    verdict: Callable[..., Verdict], printing: Callable[..., dict[str, str]], name: str
) -> None:
    files = printing("{id: nothing-copied, why: It is expected.}")
    assert verdict(name, "passed", WARNING, WARNING, files=files).state is State.HOLDS
    text = told(verdict(name, "passed", WARNING, LOG, files=files))
    assert "prints 'weights-missing': WARNING" in text
    assert "under `prints`" in text
    assert "prints UserWarning: odd" in told(
        verdict(name, "passed", WARNING, Event("warning", "UserWarning", "odd"), files=files)
    )


@pytest.mark.parametrize("name", PATHS)
def test_what_stands_under_prints_is_seen(
    verdict: Callable[..., Verdict], printing: Callable[..., dict[str, str]], name: str
) -> None:
    files = printing("{id: nothing-copied}")
    assert "does not print 'nothing-copied'" in told(verdict(name, "passed", files=files))


@pytest.mark.parametrize("name", PATHS)
def test_prints_may_be_of_some_versions_only(
    verdict: Callable[..., Verdict], printing: Callable[..., dict[str, str]], name: str
) -> None:
    files = printing("{id: nothing-copied, applies: {torch: '>=2.3'}}")
    old, new = {**HERE, "torch": "2.2"}, {**HERE, "torch": "2.3"}
    assert verdict(name, "passed", WARNING, files=files, versions=new).state is State.HOLDS
    assert verdict(name, "passed", files=files, versions=old).state is State.HOLDS
    assert "does not print" in told(verdict(name, "passed", files=files, versions=new))
    assert "prints 'nothing-copied' on python 3.11.7, torch 2.2, outside its `applies`" in told(
        verdict(name, "passed", WARNING, files=files, versions=old)
    )


def test_a_wording_that_does_not_exist_yet_is_not_missed(
    verdict: Callable[..., Verdict], tiny: dict[str, str], printing: Callable[..., dict[str, str]]
) -> None:
    path = "kb/symptoms/nothing-copied.yaml"
    dated = tiny[path].replace(
        "plain: nothing was copied", "plain: {text: nothing was copied, since: {torch: '2.3'}}"
    )
    files = printing("{id: nothing-copied}", **{path: dated})
    old, new = {**HERE, "torch": "2.2"}, {**HERE, "torch": "2.3"}
    assert verdict("fix-skip", "passed", files=files, versions=old).state is State.HOLDS
    assert "does not print" in told(verdict("fix-skip", "passed", files=files, versions=new))
    assert "since torch 2.3; this is 2.2" in told(
        verdict("fix-skip", "passed", WARNING, files=files, versions=old)
    )


def test_an_exception_is_never_harmless(
    verdict: Callable[..., Verdict], printing: Callable[..., dict[str, str]]
) -> None:
    assert "ends in 'no-data'" in told(
        verdict("fix-skip", "raised", raised(), files=printing("{id: no-data}"))
    )


def test_a_misplaced_marker(verdict: Callable[..., Verdict]) -> None:
    files = {"snippets/copy-lost/fix-skip.py": 'value = """\n# goal\n"""\n# goal\nassert value\n'}
    assert "line 4: a second `# goal`" in told(verdict("fix-skip", "passed", files=files))


def test_a_goal_of_comments_alone(verdict: Callable[..., Verdict]) -> None:
    files = {"snippets/copy-lost/fix-skip.py": '"""Copy."""\nvalue = 2\n# goal\n# assert value == 2\n'}
    assert "nothing stands below" in told(verdict("fix-skip", "passed", files=files))


def test_fact_that_does_not_hold(verdict: Callable[..., Verdict]) -> None:
    failed = raised("AssertionError", "", Frame("one-is-one.py", 3, "<module>", "assert 1 == 2", False))
    found = verdict("one-is-one", "raised", failed)
    assert [reason.message for reason in found.reasons] == [
        "the fact does not hold here: line 3: assert 1 == 2"
    ]


def test_fix_misses_its_goal(verdict: Callable[..., Verdict]) -> None:
    assert told(verdict("fix-skip", "missed", GOAL_FAILED)).startswith("the fix reaches the goal and fails")


def test_fix_that_never_reached_its_goal(verdict: Callable[..., Verdict]) -> None:
    assert "ended before its goal" in told(verdict("fix-skip", "passed", goal=False))


@pytest.mark.parametrize(("goal", "words"), [("", "no line `# goal`"), ("# goal\n", "nothing stands below")])
def test_a_snippet_without_a_goal(verdict: Callable[..., Verdict], goal: str, words: str) -> None:
    files = {"snippets/copy-lost/fix-skip.py": f'"""Copy."""\n\nvalue = 2\n{goal}'}
    assert words in told(verdict("fix-skip", "passed", files=files))


# traps


def test_trap_misses_the_goal(verdict: Callable[..., Verdict]) -> None:
    assert verdict("trap-zero", "missed", GOAL_FAILED).state is State.HOLDS


def test_trap_may_show_symptoms_on_its_way(verdict: Callable[..., Verdict]) -> None:
    assert verdict("trap-zero", "missed", WARNING, LOG, GOAL_FAILED).state is State.HOLDS


def test_trap_prints_something_unknown(verdict: Callable[..., Verdict]) -> None:
    event = Event("warning", "UserWarning", "odd")
    assert "no known symptom" in told(verdict("trap-zero", "missed", event, GOAL_FAILED))


def test_trap_works(verdict: Callable[..., Verdict]) -> None:
    assert "the advice works here" in told(verdict("trap-zero", "passed"))


def test_trap_raises_where_it_should_miss(verdict: Callable[..., Verdict]) -> None:
    text = told(verdict("trap-zero", "raised", raised()))
    assert "ends in 'no-data'; the entry claims `ends: wrong-result`" in text


@pytest.fixture
def ends(tiny: dict[str, str]) -> Callable[[str], dict[str, str]]:
    """The tiny cause with another `ends` of its trap."""
    path = "kb/causes/copy-lost.yaml"
    return lambda symptom: {path: tiny[path].replace("ends: wrong-result", f"ends: {symptom}")}


def test_trap_ends_in_its_symptom(verdict: Callable[..., Verdict], ends: Ends) -> None:
    assert verdict("trap-zero", "raised", WARNING, raised(), files=ends("no-data")).state is State.HOLDS


def test_trap_ends_in_what_came_last(verdict: Callable[..., Verdict], ends: Ends) -> None:
    events = [raised(), WARNING, raised()]
    assert verdict("trap-zero", "raised", *events, files=ends("no-data")).state is State.HOLDS
    assert "ends in 'nothing-copied'" in told(
        verdict("trap-zero", "raised", *events[:2], files=ends("no-data"))
    )


def test_trap_ends_in_a_silent_symptom(verdict: Callable[..., Verdict], ends: Ends) -> None:
    assert verdict("trap-zero", "missed", GOAL_FAILED, files=ends("wrong-values")).state is State.HOLDS
    assert "ends in" in told(verdict("trap-zero", "raised", raised(), files=ends("wrong-values")))


def test_trap_ends_elsewhere(verdict: Callable[..., Verdict], ends: Ends) -> None:
    text = told(verdict("trap-zero", "raised", raised("ValueError", "odd"), files=ends("no-data")))
    assert "ends in ValueError: odd; the entry claims `ends: no-data`" in text


def test_trap_misses_where_it_should_raise(verdict: Callable[..., Verdict], ends: Ends) -> None:
    text = told(verdict("trap-zero", "missed", GOAL_FAILED, files=ends("no-data")))
    assert "runs to the goal" in text


# cells without an observation that counts


def test_not_run(tiny_catalogue: Catalogue) -> None:
    case = tiny_catalogue.case("copy-lost/broken.py")
    assert case is not None
    found = judge(case, None, tiny_catalogue, HERE)
    assert found.state is State.NOT_RUN
    assert "--record" in found.reasons[0].remedy


def test_stale(tiny_catalogue: Catalogue) -> None:
    case = tiny_catalogue.case("copy-lost/broken.py")
    assert case is not None
    found = judge(case, Observation("0" * 12, "raised", False, date="2026-01-01"), tiny_catalogue, HERE)
    assert found.state is State.STALE
    assert "edited after its run of 2026-01-01" in str(found.reasons[0])


@pytest.mark.parametrize(
    ("needs", "device", "words"),
    [
        ("peft: '>=0.10'", "cpu", "needs peft >=0.10; here is no peft"),
        ("python: '>=4'", "cpu", "needs python >=4; here is python 3.11.7"),
        ("device: cuda", "cpu", "needs cuda; this run uses cpu"),
        ("device: cpu", "cuda", "needs cpu; this run uses cuda"),
    ],
)
def test_needs(tree: Tree, tiny: dict[str, str], needs: str, device: str, words: str) -> None:
    path = "kb/causes/copy-lost.yaml"
    catalogue = load(tree({**tiny, path: tiny[path] + f"needs: {{{needs}}}\n"}))
    case = catalogue.case("copy-lost/broken.py")
    assert case is not None
    blocked = obstacle(case, HERE, device)
    assert blocked is not None
    assert words in blocked.message
    assert judge(case, None, catalogue, HERE, device).state is State.NOT_RUN


def test_a_library_that_is_absent_was_not_tried(verdict: Callable[..., Verdict]) -> None:
    missing = raised("ModuleNotFoundError", "No module named 'sentence_transformers'", CALL)
    found = verdict("fix-skip", "raised", missing)
    assert found.state is State.NOT_RUN
    assert "here is no sentence-transformers" in found.reasons[0].message
    here = {**HERE, "sentence-transformers": "6.0"}
    assert verdict("fix-skip", "raised", missing, versions=here).state is State.FAILS
    other = raised("ModuleNotFoundError", "No module named 'tourch'", CALL)
    assert verdict("fix-skip", "raised", other).state is State.FAILS


def test_a_cause_of_a_library_that_is_absent(tree: Tree, tiny: dict[str, str]) -> None:
    path = "kb/causes/copy-lost.yaml"
    text = tiny[path].replace('applies: {python: ">=3"}', 'applies: {peft: ">=0.1"}')
    catalogue = load(tree({**tiny, path: text}))
    case = catalogue.case("copy-lost/broken.py")
    assert case is not None
    blocked = obstacle(case, HERE, "cpu")
    assert blocked is not None
    assert blocked.message == "is about peft; here is no peft"


def test_snippet_that_does_not_exist(tree: Tree, tiny: dict[str, str]) -> None:
    files = {name: text for name, text in tiny.items() if "fix-skip" not in name}
    catalogue = load(tree(files))
    case = catalogue.case("copy-lost/fix-skip.py")
    assert case is not None
    found = judge(case, None, catalogue, HERE)
    assert "does not exist" in told(found)


def test_unproved_cause_without_snippets_is_not_run(tree: Tree, tiny: dict[str, str]) -> None:
    path = "kb/causes/copy-lost.yaml"
    files = {name: text for name, text in tiny.items() if "snippets/copy-lost" not in name}
    catalogue = load(tree({**files, path: tiny[path] + "unproved: needs four GPUs\n"}))
    case = catalogue.case("copy-lost/broken.py")
    assert case is not None
    found = judge(case, None, catalogue, HERE)
    assert (found.state, found.reasons[0].message) == (State.NOT_RUN, "unproved: needs four GPUs")


# words for reports


def test_claim_and_observation_in_words(tiny_catalogue: Catalogue) -> None:
    case = tiny_catalogue.case("copy-lost/broken.py")
    assert case is not None
    assert list(claim_lines(case, tiny_catalogue)) == [
        "warning: nothing-copied",
        "exception: no-data",
        "ends there",
    ]
    seen = Observation("0", "raised", False, (WARNING, raised(text="odd")), note="n")
    assert list(seen_lines(seen, tiny_catalogue)) == [
        "warning: nothing-copied",
        "exception: NotImplementedError: odd",
        "raised, goal not reached (n)",
    ]
