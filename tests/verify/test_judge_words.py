"""What the judge says, word for word: whoever writes an entry reads nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Noise
from unmeta.kb.runs import Event, Frame, Observation, Raised
from unmeta.kb.snippets import Case
from unmeta.verify.judge import Verdict, claim_lines, judge, seen_lines

Load = Callable[[Mapping[str, str]], Catalogue]
HERE = {"python": "3.11.7"}
CAUSE = "kb/causes/copy-lost.yaml"


def case_of(catalogue: Catalogue, key: str) -> Case:
    case = catalogue.case(key)
    assert case is not None
    return case


CALL = Frame("broken.py", 7, "<module>", "fakelib.fail()", library=False)
LIBRARY = Frame("fakelib.py", 3, "fail", "raise NotImplementedError(text)")
OWN = Frame("broken.py", 5, "<module>", "raise(ValueError())", library=False)


def raised(type_: str, text: str, *frames: Frame, phase: str = "body") -> Event:
    chain = (Raised(type_, text, frames or (CALL, LIBRARY)),)
    return Event("exception", type_, text, phase, chain=chain)  # type: ignore[arg-type]


WARNS = Event("warning", "UserWarning", "nothing was copied", origin="fakelib.py")
LOGS = Event("log", "WARNING", "weights are missing", origin="fakelib")
RAISES = raised("NotImplementedError", "no data!")
NAMED = raised("NotImplementedError", "no data for weight!")
FAILS = raised("AssertionError", "", Frame("broken.py", 10, "<module>", "assert 0", False), phase="goal")
ODD = Event("warning", "FutureWarning", "odd", origin="other.py")
BARE = Event("log", "ERROR", "odd")
PRINTED = Event("warning", "UserWarning", "nothing was copied", origin="broken.py")

CHANGE = "change the snippet so that it is not printed, or claim it as a symptom"
CLAIM = "add it to `symptoms` in its order, or change the snippet so that it is not printed"
MEND = "mend the snippet, correct `symptoms`, or add the new wording to the symptom"
WORDING = "add this wording to a symptom, or mend the snippet"
PRINTS = "change the snippet, or name the symptom under `prints` where it is harmless and expected"
ENDS = "write the symptom it ends in as `ends`"
ALONE = "let the script come to its own end, quickly and alone"

SAID: dict[str, tuple[str, str, tuple[Event, ...], list[tuple[str, str]]]] = {
    "other order": (
        "broken",
        "raised",
        (RAISES, WARNS),
        [
            (
                "shows no-data → nothing-copied; the entry claims nothing-copied → no-data",
                "put `symptoms` into the order of the run",
            )
        ],
    ),
    "one is lacking, and order says nothing": (
        "broken",
        "raised",
        (RAISES,),
        [("does not show 'nothing-copied', which the entry claims", MEND)],
    ),
    "more than claimed": (
        "broken",
        "raised",
        (WARNS, LOGS, RAISES),
        [("shows 'weights-missing' (log), not claimed: weights are missing", CLAIM)],
    ),
    "an unknown warning": (
        "broken",
        "raised",
        (WARNS, ODD, RAISES),
        [("the warning of other.py is no known symptom: FutureWarning: odd", CHANGE)],
    ),
    "an unknown record of no logger": (
        "broken",
        "raised",
        (WARNS, BARE, RAISES),
        [("the log is no known symptom: ERROR: odd", CHANGE)],
    ),
    "another text": (
        "broken",
        "raised",
        (WARNS, raised("NotImplementedError", "odd")),
        [
            ("the exception is no known symptom: NotImplementedError: odd", WORDING),
            ("does not show 'no-data', which the entry claims", MEND),
        ],
    ),
    "another type": (
        "broken",
        "raised",
        (WARNS, raised("ValueError", "no data!")),
        [
            (
                "the exception is no known symptom: ValueError: no data!",
                "the text is that of 'no-data' (exception NotImplementedError): correct its `kind` or `type`",
            ),
            ("does not show 'no-data', which the entry claims", MEND),
        ],
    ),
    "passes": (
        "broken",
        "passed",
        (WARNS, RAISES),
        [("reaches its goal: nothing is broken here", "make the goal show what the reader loses")],
    ),
    "misses where it should raise": (
        "broken",
        "missed",
        (WARNS, RAISES, FAILS),
        [
            (
                "runs to the goal and fails there, where 'no-data' should have ended it",
                "claim a silent symptom as the last one, or mend the snippet",
            )
        ],
    ),
    "raises where it should be silent": (
        "broken-quiet",
        "raised",
        (RAISES,),
        [
            ("shows 'no-data' (exception), not claimed: no data!", CLAIM),
            (
                "raises, where 'wrong-values' means that nothing is raised before the goal fails",
                "claim the exception, or mend the snippet",
            ),
        ],
    ),
    "the last failure of a goal is the goal's": (
        "broken-quiet",
        "missed",
        (raised("ValueError", "odd", phase="goal"), FAILS),
        [("the exception is no known symptom: ValueError: odd", WORDING)],
    ),
    "raises by itself": (
        "broken",
        "raised",
        (WARNS, raised("NotImplementedError", "no data!", OWN)),
        [
            (
                "the snippet raised NotImplementedError by itself, in line 5: raise(ValueError())",
                "remove that line; the error must come from the library",
            )
        ],
    ),
    "prints by itself": (
        "broken",
        "raised",
        (PRINTED, RAISES),
        [
            (
                "the snippet printed the warning by itself: nothing was copied",
                "remove that line; warnings and log records must come from the library",
            )
        ],
    ),
    "is not Python": (
        "broken",
        "raised",
        (WARNS, RAISES, Event("exception", "SyntaxError", "bad", chain=(Raised("SyntaxError", "bad"),))),
        [
            ("the snippet is not Python: bad", "mend the syntax"),
            ("the exception is no known symptom: SyntaxError: bad", WORDING),
        ],
    ),
    "exits": ("fix-skip", "exited", (), [("the script ended itself", ALONE)]),
    "dies": ("fix-skip", "crashed", (), [("the interpreter died", ALONE)]),
    "is too slow": ("fix-skip", "timed-out", (), [("the script did not end in time", ALONE)]),
    "is too big": ("fix-skip", "out-of-memory", (), [("the script took more memory than a run may", ALONE)]),
    "is too loud": ("fix-skip", "flooded", (), [("the script printed more than a run may", ALONE)]),
    "leaves processes": ("fix-skip", "left-processes", (), [("the script left processes behind", ALONE)]),
    "a fix fails": (
        "fix-skip",
        "missed",
        (FAILS,),
        [("the fix reaches the goal and fails there", "mend the snippet, or withdraw the entry's claim")],
    ),
    "a fix prints a symptom": (
        "fix-skip",
        "passed",
        (WARNS,),
        [("the fix prints 'nothing-copied': UserWarning: nothing was copied", PRINTS)],
    ),
    "a fix prints what is unknown": ("fix-skip", "passed", (BARE,), [("the fix prints ERROR: odd", PRINTS)]),
    "a fix raises": (
        "fix-skip",
        "raised",
        (RAISES,),
        [
            (
                "the fix ends in 'no-data': NotImplementedError: no data!",
                "the fix must run without an error; change the snippet",
            )
        ],
    ),
    "a fact raises": (
        "one-is-one",
        "raised",
        (raised("ValueError", "odd"),),
        [("the fact ends in ValueError: odd", "the fact must run without an error; change the snippet")],
    ),
    "a fact does not hold": (
        "one-is-one",
        "raised",
        (raised("AssertionError", "", Frame("one-is-one.py", 3, "<module>", "assert 1 == 2", False)),),
        [
            (
                "the fact does not hold here: line 3: assert 1 == 2",
                "correct the statement, or narrow `applies`",
            )
        ],
    ),
    "a trap works": (
        "trap-zero",
        "passed",
        (),
        [
            (
                "reaches the goal: the advice works here",
                "make it a fix, or narrow `needs` to where it does not work",
            )
        ],
    ),
    "a trap raises": (
        "trap-zero",
        "raised",
        (RAISES,),
        [("ends in 'no-data'; the entry claims `ends: wrong-result`", ENDS)],
    ),
    "a trap raises what is unknown": (
        "trap-zero",
        "raised",
        (raised("ValueError", "odd"),),
        [
            ("the exception is no known symptom: ValueError: odd", WORDING),
            ("ends in ValueError: odd; the entry claims `ends: wrong-result`", ENDS),
        ],
    ),
    "a trap prints what is unknown": (
        "trap-zero",
        "missed",
        (ODD, FAILS),
        [("the warning of other.py is no known symptom: FutureWarning: odd", CHANGE)],
    ),
}


@pytest.mark.parametrize(("name", "outcome", "events", "reasons"), SAID.values(), ids=SAID)
def test_reasons_and_what_to_do(
    verdict: Callable[..., Verdict],
    name: str,
    outcome: str,
    events: tuple[Event, ...],
    reasons: list[tuple[str, str]],
) -> None:
    said = verdict(name, outcome, *events).reasons
    assert [(reason.message, reason.remedy) for reason in said] == reasons


def test_a_stage_that_raises(verdict: Callable[..., Verdict]) -> None:
    text = '"""Copy."""\nimport fakelib\nfakelib.warn()\nfakelib.fail()\n# code\nx = 1\n# goal\nassert x\n'
    files = {"snippets/copy-lost/broken.py": text}
    for line, said in (
        (4, "ends in its stage, in line 4: fakelib.fail()"),
        (6, None),
        (8, None),
    ):
        at = Frame("broken.py", line, "<module>", "fakelib.fail()", library=False)
        inner = Frame("broken.py", 4, "load", "fakelib.fail()", library=False)
        event = raised("NotImplementedError", "no data!", at, inner, LIBRARY)
        reasons = verdict("broken", "raised", WARNS, event, files=files).reasons
        assert [reason.message for reason in reasons] == ([said] if said else [])
        assert all("move `# code` up" in reason.remedy for reason in reasons)


@pytest.fixture
def noisy() -> dict[str, str]:
    """A file that makes the judge pass over records that say `odd`."""
    return {"kb/noise.toml": '[[noise]]\nkind = "log"\ntext = "odd"\nreason = "It is odd."\n'}


def test_noise_hides_nothing_that_follows(verdict: Callable[..., Verdict], noisy: dict[str, str]) -> None:
    said = verdict("broken", "raised", BARE, WARNS, BARE, RAISES, files=noisy)
    assert said.reasons == ()
    late = verdict("broken", "raised", WARNS, BARE, RAISES, ODD, files=noisy).reasons
    assert [reason.message for reason in late] == [
        "the warning of other.py is no known symptom: FutureWarning: odd"
    ]


def test_noise_is_not_where_a_trap_ends(
    verdict: Callable[..., Verdict], tiny: dict[str, str], noisy: dict[str, str]
) -> None:
    files = noisy | {path: tiny[path].replace(*change) for path, change in TRAP_ENDS.items()}
    assert verdict("trap-zero", "raised", RAISES, BARE, files=files).reasons == ()


def test_a_trap_that_ends_in_a_warning(verdict: Callable[..., Verdict], tiny: dict[str, str]) -> None:
    path = "kb/causes/copy-lost.yaml"
    files = {path: tiny[path].replace("ends: wrong-result", "ends: nothing-copied")}
    assert verdict("trap-zero", "missed", LOGS, WARNS, FAILS, files=files).reasons == ()
    said = verdict("trap-zero", "missed", WARNS, LOGS, FAILS, files=files).reasons
    assert [(reason.message, reason.remedy) for reason in said] == [
        (
            "ends in AssertionError: ; the entry claims `ends: nothing-copied`",
            "correct `ends`, or mend the snippet",
        )
    ]


def test_a_trap_shows_a_wording_outside_its_releases(
    verdict: Callable[..., Verdict], tiny: dict[str, str]
) -> None:
    path = "kb/symptoms/nothing-copied.yaml"
    wording = "plain: {text: nothing was copied, since: {torch: '2.3'}}"
    files = {path: tiny[path].replace("plain: nothing was copied", wording)}
    said = verdict(
        "trap-zero", "missed", WARNS, FAILS, files=files, versions={"python": "3.11", "torch": "2.2"}
    ).reasons
    assert [(reason.message, reason.remedy) for reason in said] == [
        (
            "the warning has wording 'plain' of kb/symptoms/nothing-copied.yaml, "
            "said to exist since torch 2.3; this is 2.2",
            "correct `since`",
        )
    ]


def test_a_cause_of_one_symptom(verdict: Callable[..., Verdict], tiny: dict[str, str]) -> None:
    path = "kb/causes/copy-lost.yaml"
    files = {path: tiny[path].replace("  - {id: nothing-copied, tells: alone}\n", "")}
    assert verdict("broken", "raised", RAISES, files=files).reasons == ()
    said = verdict("broken", "missed", RAISES, FAILS, files=files).reasons
    assert said[0].message == "runs to the goal and fails there, where 'no-data' should have ended it"


Said = list[tuple[str, str]]


def reasons(found: Verdict) -> Said:
    return [(reason.message, reason.remedy) for reason in found.reasons]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "x = 1\n",
            [
                (
                    "the snippet has no line `# goal`",
                    "end it with the goal that broken.py misses and every fix reaches",
                )
            ],
        ),
        ("x = 1\n# goal\n# x\n", [("nothing stands below `# goal`", "assert there what the reader wanted")]),
        (
            "x = 1\n# goal\nassert x\n# goal\n",
            [
                (
                    "line 4: a second `# goal`; the first is line 2",
                    "write the markers once each, at the start of a line, between statements",
                )
            ],
        ),
    ],
)
def test_a_snippet_without_its_parts(verdict: Callable[..., Verdict], text: str, said: Said) -> None:
    for name, outcome in (("fix-skip", "passed"), ("broken", "raised"), ("trap-zero", "missed")):
        assert reasons(verdict(name, outcome, files={f"snippets/copy-lost/{name}.py": text})) == said


def test_a_snippet_that_does_not_exist(loaded: Load, tiny: dict[str, str]) -> None:
    for name in ("copy-lost/fix-skip.py", "facts/one-is-one.py"):
        catalogue = loaded({path: text for path, text in tiny.items() if name not in path})
        assert reasons(judge(case_of(catalogue, name), None, catalogue, HERE)) == [
            (
                f"snippets/{name} does not exist",
                "write it, rename the file that should be it, or remove the claim from the entry",
            )
        ]


def test_what_was_not_run(loaded: Load, tiny: dict[str, str]) -> None:
    name = "copy-lost/fix-skip.py"
    catalogue = loaded(tiny)
    assert reasons(judge(case_of(catalogue, name), None, catalogue, HERE)) == [
        ("never run here", f"pytest snippets/{name} --record")
    ]
    on_gpu = loaded({**tiny, CAUSE: f"{tiny[CAUSE]}needs: {{device: cuda}}\n"})
    assert reasons(judge(case_of(on_gpu, name), None, on_gpu, HERE)) == [
        ("needs cuda; this run uses cpu", "run with --device cuda")
    ]
    assert reasons(judge(case_of(on_gpu, name), None, on_gpu, HERE, "cuda"))[0][0] == "never run here"
    lacking = raised("ModuleNotFoundError", "No module named 'peft'", CALL)
    seen = Observation(catalogue.snippets[name].digest, "raised", False, (lacking,))
    assert reasons(judge(case_of(catalogue, name), seen, catalogue, HERE)) == [
        ("imports peft; here is no peft", "say so in `needs`: {peft: ...}")
    ]


def test_prints_in_words(verdict: Callable[..., Verdict], tiny: dict[str, str]) -> None:
    item = "prints: [{id: nothing-copied, applies: {torch: '>=2.3'}}]"
    files = {CAUSE: tiny[CAUSE].replace("why: It works.", f"why: It works., {item}")}
    old, new = HERE | {"torch": "2.2"}, HERE | {"torch": "2.3"}
    assert reasons(verdict("fix-skip", "passed", WARNS, LOGS, files=files, versions=old)) == [
        (
            "the fix prints 'nothing-copied' on python 3.11.7, torch 2.2, outside its `applies`",
            "widen `applies` of that item of `prints`",
        ),
        ("the fix prints 'weights-missing': WARNING: weights are missing", PRINTS),
    ]
    assert reasons(verdict("fix-skip", "passed", files=files, versions=new)) == [
        (
            "the fix does not print 'nothing-copied', which stands under `prints`",
            "remove it there, or narrow its `applies`",
        )
    ]
    both = reasons(verdict("fix-skip", "passed", WARNS, LOGS, files=files, versions=new))
    assert both == [("the fix prints 'weights-missing': WARNING: weights are missing", PRINTS)]


def test_a_fix_says_all_that_is_wrong(verdict: Callable[..., Verdict], noisy: dict[str, str]) -> None:
    own = Event("warning", "UserWarning", "nothing was copied", origin="fix-skip.py")
    assert reasons(verdict("fix-skip", "passed", own, BARE, LOGS, files=noisy, goal=False)) == [
        (
            "the snippet printed the warning by itself: nothing was copied",
            "remove that line; warnings and log records must come from the library",
        ),
        ("the fix prints 'weights-missing': WARNING: weights are missing", PRINTS),
        ("the script ended before its goal", "let it run to the end"),
    ]


def test_a_fact_says_all_that_does_not_hold(verdict: Callable[..., Verdict]) -> None:
    at = Frame("one-is-one.py", 3, "<module>", "assert 1 == 2", False)
    assert reasons(verdict("one-is-one", "raised", raised("AssertionError", "", at), BARE)) == [
        ("the fact does not hold here: line 3: assert 1 == 2", "correct the statement, or narrow `applies`"),
        ("the fact prints ERROR: odd", PRINTS),
    ]


def test_an_exception_without_frames_is_not_bad_syntax(verdict: Callable[..., Verdict]) -> None:
    bare = Event(
        "exception", "NotImplementedError", "no data!", chain=(Raised("NotImplementedError", "no data!"),)
    )
    assert reasons(verdict("broken", "raised", WARNS, bare)) == []


def test_a_warning_in_the_goal_is_no_failure_of_it(verdict: Callable[..., Verdict]) -> None:
    late = replace(ODD, phase="goal")
    assert reasons(verdict("broken-quiet", "missed", FAILS, late)) == [
        ("the warning of other.py is no known symptom: FutureWarning: odd", CHANGE)
    ]


def test_wordings_of_other_releases_show_no_cause_outside_applies(
    verdict: Callable[..., Verdict], tiny: dict[str, str]
) -> None:
    path = "kb/symptoms/no-data.yaml"
    files = {path: tiny[path].replace("plain: no data!", "plain: {text: no data!, since: {torch: '2.3'}}")}
    outside = {"python": "2.7", "torch": "2.2"}
    assert reasons(verdict("broken", "raised", WARNS, RAISES, files=files, versions=outside)) == []


def test_code_of_exec_in_words(verdict: Callable[..., Verdict]) -> None:
    frames = (CALL, Frame("<string>", 1, "<module>", "", False))
    said = verdict("broken", "raised", WARNS, raised("NotImplementedError", "no data!", *frames)).reasons
    assert said[0].message == ("the snippet raised NotImplementedError by itself, in line 1: code of exec()")


TRAP_ENDS = {"kb/causes/copy-lost.yaml": ("ends: wrong-result", "ends: no-data")}


@pytest.mark.parametrize(
    ("outcome", "events", "reasons"),
    [
        (
            "missed",
            (FAILS,),
            [
                (
                    "runs to the goal and fails there; the entry claims `ends: no-data`",
                    "write `ends: wrong-result`",
                )
            ],
        ),
        (
            "raised",
            (RAISES, WARNS),
            [
                (
                    "ends in 'nothing-copied'; the entry claims `ends: no-data`",
                    "correct `ends`, or mend the snippet",
                )
            ],
        ),
        (
            "raised",
            (raised("ValueError", "odd"),),
            [
                (
                    "ends in ValueError: odd; the entry claims `ends: no-data`",
                    "correct `ends`, or mend the snippet",
                )
            ],
        ),
        (
            "raised",
            (ODD, RAISES),
            [("the warning of other.py is no known symptom: FutureWarning: odd", CHANGE)],
        ),
        ("raised", (RAISES,), []),
    ],
)
def test_reasons_of_a_trap_that_ends_in_a_symptom(
    verdict: Callable[..., Verdict],
    tiny: dict[str, str],
    outcome: str,
    events: tuple[Event, ...],
    reasons: list[tuple[str, str]],
) -> None:
    files = {path: tiny[path].replace(*change) for path, change in TRAP_ENDS.items()}
    said = verdict("trap-zero", outcome, *events, files=files).reasons
    assert [(reason.message, reason.remedy) for reason in said] == reasons


def test_a_text_of_other_symptoms_names_them_all(
    verdict: Callable[..., Verdict], tiny: dict[str, str]
) -> None:
    log, error = "kb/symptoms/weights-missing.yaml", "kb/symptoms/no-data.yaml"
    files = {
        log: tiny[log].replace("weights are missing", "no data!"),
        error: tiny[error].replace("type: NotImplementedError", "type: [NotImplementedError, TypeError]"),
    }
    event = Event("warning", "UserWarning", "no data!", origin="other.py")
    assert verdict("trap-zero", "missed", event, FAILS, files=files).reasons[0].remedy == (
        "the text is that of 'no-data' (exception NotImplementedError or TypeError), "
        "'weights-missing' (log): "
        "correct its `kind` or `type`"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x" * 160, "x" * 160),
        (f"{'x' * 150}. {'y' * 8}", f"{'x' * 150}. {'y' * 8}"),
        # The sentence that reaches beyond is shown to its end.
        (f"{'x ' * 100}to its end. More.\n", f"{'x ' * 100}to its end. …"),
        (f"One. {'x ' * 100}to\nits end.", f"One. {'x ' * 100}to its end."),
        (f"{'x' * 159}. More", f"{'x' * 159}. …"),
        ("x" * 480, "x" * 480),
        ("x" * 481, "x" * 159 + "…"),
        (f"{'x' * 480}. More", "x" * 159 + "…"),
        (f"{'x' * 479}. More", f"{'x' * 479}. …"),
    ],
)
def test_a_long_text_is_shown_to_the_end_of_its_sentence(
    verdict: Callable[..., Verdict], text: str, shown: str
) -> None:
    event = Event("warning", "UserWarning", text, origin="")
    assert verdict("fix-skip", "passed", event).reasons[0].message == f"the fix prints UserWarning: {shown}"


def test_the_network_in_words(verdict: Callable[..., Verdict]) -> None:
    said = verdict("fix-skip", "passed", note="asked the network for x.org").reasons
    assert [(reason.message, reason.remedy) for reason in said] == [
        (
            "the script asked the network for x.org; snippets run without a network",
            "build the model from a config, or write the files it reads into the working folder first",
        )
    ]


def test_a_note_follows_what_went_astray(verdict: Callable[..., Verdict]) -> None:
    assert (
        verdict("fix-skip", "crashed", note="SIGSEGV").reasons[0].message == "the interpreter died: SIGSEGV"
    )


def test_outside_applies_in_words(verdict: Callable[..., Verdict]) -> None:
    said = verdict("broken", "raised", WARNS, RAISES, versions={"python": "2.7"}).reasons
    assert [(reason.message, reason.remedy) for reason in said] == [
        (
            "shows the cause on python 2.7, outside `applies` (python >=3)",
            "widen `applies` in the entry",
        )
    ]
    assert str(verdict("fix-skip", "passed", versions={"python": "2.7"}).reasons[0]) == (
        "outside `applies` (python >=3)"
    )


# claims and observations beside each other


@pytest.mark.parametrize(
    ("key", "lines"),
    [
        ("copy-lost/broken.py", ["warning: nothing-copied", "exception: no-data", "ends there"]),
        ("copy-lost/broken-quiet.py", ["silent: wrong-values", "fails at the goal"]),
        ("copy-lost/fix-skip.py", ["no error, no warning, no log record", "reaches the goal"]),
        ("copy-lost/trap-zero.py", ["does not reach the goal", "fails at the goal"]),
        ("facts/one-is-one.py", ["no error, no warning, no log record", "runs to its end"]),
    ],
)
def test_claims_in_words(tiny_catalogue: Catalogue, key: str, lines: list[str]) -> None:
    case = tiny_catalogue.case(key)
    assert case is not None
    assert list(claim_lines(case, tiny_catalogue)) == lines


def test_claims_of_harmless_text_and_of_ends_in_words(
    tree: Callable[[Mapping[str, str]], Path], tiny: dict[str, str]
) -> None:
    path = "kb/causes/copy-lost.yaml"
    text = tiny[path].replace("why: It works.", "why: It works., prints: [{id: nothing-copied}]")
    text = text.replace("ends: wrong-result", "ends: no-data").replace("{id: no-data,", "{id: unheard-of,")
    catalogue = load(tree({**tiny, path: text}))
    said = {
        key: list(claim_lines(case, catalogue))
        for key in ("broken", "fix-skip", "trap-zero")
        if (case := catalogue.case(f"copy-lost/{key}.py"))
    }
    assert said == {
        "broken": ["warning: nothing-copied", "unknown: unheard-of", "ends there"],
        "fix-skip": [
            "prints nothing-copied",
            "no error, no other warning or log record",
            "reaches the goal",
        ],
        "trap-zero": ["does not reach the goal", "ends in no-data"],
    }


def test_observations_in_words(tiny_catalogue: Catalogue) -> None:
    noisy = replace(tiny_catalogue, noise=[Noise(kind="log", text="odd", reason="It is odd.")])
    twice = replace(WARNS, count=2)
    seen = Observation("0", "missed", True, (twice, WARNS, NAMED, BARE, ODD, FAILS))
    assert list(seen_lines(seen, noisy)) == [
        "warning: nothing-copied (×2)",
        "warning: nothing-copied",
        "exception: no-data",
        "log: ERROR: odd (passed over: kb/noise.toml)",
        "warning: FutureWarning: odd",
        "exception: AssertionError: ",
        "missed, goal reached",
    ]
    assert list(seen_lines(Observation("0", "crashed", False, (WARNS, WARNS), note="n"), noisy)) == [
        "warning: nothing-copied",
        "crashed, goal not reached (n)",
    ]
