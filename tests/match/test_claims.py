"""What an entry claims of a paste, and for how much each claim counts: one rule a test.

A claim is (kind, per cent): the fit gives each kind one weight, and the per cent say how rare it is what
was claimed, from 10 for what all causes share to 100 for what one has.
"""

import pytest
from small import compiled

from unmeta.match.compile import ANSWER
from unmeta.match.score import CHECKED, LEARNT, NO, SHOWN, YES, inside, passes, shared

COPY = "NotImplementedError: Cannot copy out of meta tensor; no data!"
ITEM = "RuntimeError: Tensor.item() cannot be called on meta tensors"
SKIPPED = "UserWarning: copying from a non-meta parameter to a meta parameter is a no-op."


def message(text, kind="exception", **more):
    name = "UserWarning" if kind == "warning" else "RuntimeError"
    return {
        "title": text[:12], "kind": kind, "type": name, "messages": {"only": text}, "near_misses": ["x"],
        **more,
    }  # fmt: skip


SYMPTOMS = {
    "copy": message("Cannot copy out of meta tensor; no data!"),
    "item": message("Tensor.item() cannot be called on meta tensors"),
    "skipped": message("copying from a non-meta parameter to a meta parameter is a no-op.", "warning"),
    "silent": {"title": "noise", "kind": "silent", "looks_like": "The output is noise."},
    "worded": {
        **message("x"),
        "messages": {
            "long": "Cannot mix tensors on meta and cpu in this operation of fused attention",
            "short": "Cannot mix tensors on meta and cuda in another operation of attention",
        },
    },
}


NEUTRAL = {"not_earlier": "silent"}  # a clue that no text answers: what is silent is never printed


def shows(symptom, *clues, tells="with", **more):
    stands = {"id": symptom, "tells": tells, "clues": list(clues) or [NEUTRAL]}
    return {"title": f"It shows {symptom}", "symptoms": [stands], **more}


def claims(body, text, answers=None, other=None):
    """The claims that one cause, of two, makes of a text, and its clues as (key, answer)."""
    matcher = compiled({"a": body, "b": other or shows("silent")}, SYMPTOMS)
    evidence = matcher.evidence(text)
    found, told = matcher.claims(matcher.index["causes"][0], evidence, matcher.hits(evidence), answers or {})
    return found, [(matcher.index["clues"][row][0], result.answer) for row, result in told]


# messages


def test_the_last_message_is_claimed_as_the_last_for_as_much_as_it_is_rare():
    assert claims(shows("copy"), COPY) == ([("final", 100)], [])
    common = claims(shows("copy"), COPY, other=shows("copy"))[0]
    assert common == [("final", 37)], "100·log(3/2)/log 3: two of two causes show it"


def test_a_message_before_the_last_is_claimed_as_another_one():
    both = {
        **shows("copy"),
        "symptoms": [
            {"id": "copy", "tells": "with", "clues": [NEUTRAL]},
            {"id": "item", "tells": "with", "clues": [NEUTRAL]},
        ],
    }
    assert claims(both, f"{ITEM}\n{COPY}")[0] == [("other", 100), ("final", 100)]


def test_each_message_that_a_cause_does_not_show_speaks_against_it_and_the_last_one_twice():
    assert claims(shows("copy"), f"{ITEM}\n{COPY}")[0] == [("unexplained", 100), ("final", 100)]
    assert claims(shows("copy"), f"{COPY}\n{ITEM}")[0] == [
        ("other", 100), ("unexplained", 100), ("unshown", 100),
    ]  # fmt: skip
    assert claims(shows("silent"), "no message at all")[0] == []


def test_a_message_counts_once_however_often_it_stands():
    assert claims(shows("copy"), f"{COPY}\n{COPY}")[0] == [("final", 100)]


def test_a_message_that_tells_alone_is_claimed_besides_where_it_stands():
    assert claims(shows("copy", tells="alone"), COPY)[0] == [("final", 100), ("alone", 100)]
    assert ("alone", 100) not in claims(shows("copy", tells="alone"), ITEM)[0]


# clues


def test_a_clue_that_two_symptoms_have_counts_once():
    calls = {"calls": "init_empty_weights"}
    twice = {
        **shows("copy"),
        "symptoms": [
            {"id": "copy", "tells": "with", "clues": [calls]},
            {"id": "item", "tells": "with", "clues": [calls]},
        ],
    }
    found, told = claims(twice, f"with init_empty_weights():\n{ITEM}\n{COPY}")
    assert found.count(("calls", 100)) == 1
    assert told == [("calls", YES)]


def test_the_rarest_of_several_values_counts_with_its_line():
    wanted = {"calls": ["to_empty", "init_empty_weights"]}
    matcher = compiled({"a": shows("copy", wanted), "b": shows("item", {"calls": "to_empty"})}, SYMPTOMS)
    for text in (
        "model.to_empty()\ninit_empty_weights()\n",
        "init_empty_weights()\nmodel.to_empty()\n",
    ):
        hits = matcher.hits(matcher.evidence(text + COPY))
        row = next(at for at, clue in enumerate(matcher.index["clues"]) if len(clue) == 4)
        assert (hits[row].amount, hits[row].found) == (100, "i init_empty_weights")
        assert text.splitlines()[hits[row].line] == "init_empty_weights()"


@pytest.mark.parametrize(
    ("clue", "text", "kind"),
    [
        ({"calls": "init_empty_weights"}, f"with init_empty_weights():\n{COPY}", "calls"),
        ({"says": "left behind"}, f"It was left behind here.\n{COPY}", "says"),
        ({"holes": "embed"}, "RuntimeError: Tensor embed is on meta, not cpu", "holes"),
        ({"through": "lib.a:run"}, 'File "/x/site-packages/lib/a.py", line 3, in run', "through"),
        ({"through": "user:go"}, 'File "mine.py", line 3, in go', "through"),
        ({"through": "*:go"}, 'File "mine.py", line 3, in go', "through"),
        (
            {"through": "user:go > lib.a:run"},
            'File "mine.py", line 3, in go\nFile "/x/site-packages/lib/a.py", line 3, in run',
            "path",
        ),
        ({"not_through": "lib.a:run"}, 'File "/x/site-packages/lib/a.py", line 3, in run', "not_through"),
        (
            {"not_through": "user:go > lib.a:run"},
            'File "mine.py", line 3, in go\nFile "/x/site-packages/lib/a.py", line 3, in run',
            "not_through",
        ),
    ],
)
def test_each_kind_of_clue_has_a_weight_of_its_own(clue, text, kind):
    symptoms = {**SYMPTOMS, "holed": message("Tensor {name} is on meta, not {device}")}
    body = {
        **shows("copy", clue),
        "symptoms": [
            {"id": "holed", "tells": "with", "clues": [NEUTRAL]},
            {"id": "copy", "tells": "with", "clues": [clue]},
        ],
    }
    matcher = compiled({"a": body, "b": shows("silent")}, symptoms)
    evidence = matcher.evidence(text)
    found, told = matcher.claims(matcher.index["causes"][0], evidence, matcher.hits(evidence), {})
    assert [claim for claim in found if claim[0] not in ("final", "other")] == [(kind, 100)]
    assert [result.answer for _, result in told] == [NO if kind == "not_through" else YES]


def test_frames_code_and_prose_count_where_the_symptom_is_not_in_the_text():
    assert claims(shows("copy", {"calls": "to_empty"}), "model.to_empty()") == (
        [("calls", 100)],
        [("calls", YES)],
    )


@pytest.mark.parametrize(
    "clue", [{"earlier": "skipped"}, {"not_earlier": "skipped"}, {"wording": "only"}, {"ask": "Is it so?"}]
)
def test_what_is_asked_of_a_message_is_not_asked_without_it(clue):
    found, told = claims(shows("item", clue), f"{SKIPPED}\n{COPY}", {"x": True})
    assert {kind for kind, _ in found} == {"unexplained", "unshown"}
    assert told == []


def test_what_was_printed_before_is_sought_before_the_message_only():
    body = shows("copy", {"earlier": "skipped"})
    assert claims(body, f"{SKIPPED}\n{COPY}")[0][-1] == ("earlier", 100)
    assert claims(body, f"{SKIPPED}\n{COPY}")[1] == [("earlier", YES)]
    found, told = claims(body, f"{COPY}\n{SKIPPED}")
    assert ("no_earlier", 100) in found
    assert told == [], "what is not there may have been left out of the paste: it is weighed, not told"


def test_what_must_not_be_printed_before_speaks_against_where_it_was():
    body = shows("copy", {"not_earlier": "skipped"})
    assert claims(body, f"{SKIPPED}\n{COPY}")[0][-1] == ("not_earlier", 100)
    assert claims(body, f"{SKIPPED}\n{COPY}")[1] == [("not_earlier", NO)]
    assert claims(body, COPY) == ([("final", 100)], [])


LONG, SHORT = SYMPTOMS["worded"]["messages"].values()


def test_a_wording_answers_where_it_can_be_told():
    body = shows("worded", {"wording": "long"})
    assert claims(body, f"RuntimeError: {LONG}") == ([("final", 100), ("wording", 100)], [("wording", YES)])
    assert claims(body, f"RuntimeError: {SHORT}") == (
        [("final", 100), ("wording_no", 100)],
        [("wording", NO)],
    )
    cut = "RuntimeError: Cannot mix tensors on meta and"
    assert claims(body, cut) == ([("final", 100)], [])


def test_a_question_is_open_until_it_is_answered_and_then_decides():
    body = shows("copy", {"ask": "Is it so?"})
    matcher = compiled({"a": body}, SYMPTOMS)
    name = matcher.index["clues"][0][1]
    assert claims(body, COPY) == ([("final", 100)], [("ask", 0)])
    assert claims(body, COPY, {name: True}) == ([("final", 100), ("answer", 100)], [("ask", YES)])
    assert claims(body, COPY, {name: False}) == ([("final", 100), ("answer", -100)], [("ask", NO)])
    scores = [matcher.scores(matcher.evidence(COPY), {name: told})[0][0] for told in (True, False)]
    assert scores[0] - scores[1] == 2 * ANSWER


def test_versions_answer_where_they_are_stated():
    body = shows("copy", {"version": {"torch": ">=2.5"}})
    assert claims(body, f"torch==2.6.0\n{COPY}") == ([("final", 100), ("version", 100)], [("version", YES)])
    assert claims(body, f"torch==2.4.0\n{COPY}") == ([("final", 100), ("version_no", 100)], [("version", NO)])
    assert claims(body, f"peft==0.1\n{COPY}") == ([("final", 100)], [])


def test_a_release_on_which_the_cause_does_not_exist_speaks_against_it():
    body = shows("copy", applies={"torch": ">=2.5"})
    assert claims(body, f"torch==2.4.0\n{COPY}")[0] == [("final", 100), ("elsewhere", 100)]
    for told in ("torch==2.5.0", "peft==0.1"):
        assert claims(body, f"{told}\n{COPY}")[0] == [("final", 100)]
    assert claims(shows("copy"), f"torch==2.4.0\n{COPY}")[0] == [("final", 100)]


WHOLE = 'Traceback (most recent call last):\n  File "mine.py", line 3, in go\n    code()\n'


def test_a_whole_traceback_that_does_not_pass_a_function_says_so():
    through, around = {"through": "lib.a:run"}, {"not_through": "lib.b:run"}
    assert claims(shows("copy", through), WHOLE + COPY) == (
        [("final", 100), ("against", 100)],
        [("through", NO)],
    )
    assert claims(shows("copy", around), WHOLE + COPY) == ([("final", 100)], [("not_through", YES)])


def test_a_traceback_that_is_cut_or_of_another_message_says_nothing_of_what_it_does_not_pass():
    for clue in ({"through": "lib.a:run"}, {"not_through": "lib.b:run"}):
        assert claims(shows("copy", clue), COPY) == ([("final", 100)], [])
        assert claims(shows("item", clue), WHOLE + COPY)[1] == []


def test_what_one_clue_meets_answers_no_other():
    assert claims(shows("copy", {"calls": "to_empty"}), COPY) == ([("final", 100)], [])
    assert claims(shows("copy", {"says": "left behind"}), WHOLE + COPY) == ([("final", 100)], [])


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("user:go", 0),
        ("user:run", -1),
        ("lib/a:*", 1),
        ("*:run", 1),
        ("*:*", 0),
        ("user:go > lib/a:run", 1),
        ("user:* > *:run > lib/a:run", 2),
        ("lib/a:run > user:go", -1),
        ("user:go > lib/b:run", -1),
        ("user:go > user:go", -1),
    ],
)
def test_a_path_passes_its_functions_in_order_with_others_between(value, line):
    library = 'File "/x/site-packages/lib/a.py", line 3, in run'
    frames = compiled({"a": shows("copy")}, SYMPTOMS).evidence(
        f'File "mine.py", line 3, in go\n{library}\n{library}'
    ).paste.frames  # fmt: skip
    assert passes(value, frames) == line


# weights


def fitted(learnt=None, bias=None, heat=100, groups=(), causes=("a", "b"), **more):
    return compiled(
        {name: shows("copy" if name == "a" else "item") for name in causes},
        SYMPTOMS,
        weights={
            "groups": dict(groups), "learnt": learnt or {}, "bias": bias or {}, "heat": heat, **more,
        },
    )  # fmt: skip


def scores(matcher, text):
    return matcher.scores(matcher.evidence(text), {})[0]


def test_a_claim_counts_its_weight_times_its_per_cent_in_whole_hundredths():
    matcher = fitted(groups={"final": 155, "unexplained": -33, "unshown": -7})
    assert scores(matcher, COPY) == [155, -40]
    both = compiled({"a": shows("copy"), "b": shows("copy")}, SYMPTOMS, weights={"groups": {"final": 155}})
    assert scores(both, COPY) == [155 * 37 // 100] * 2


def test_a_cause_begins_with_how_often_it_is_met():
    assert scores(fitted(bias={"a": -20, "b": 30}), "") == [-20, 30]
    assert scores(fitted(bias={"a": -20}, causes=("a", "b", "c")), "") == [-20] * 3, (
        "a cause that was not there when the weights were fitted is as rare as the rarest"
    )


def test_what_was_learnt_of_a_feature_counts_whole_and_once():
    matcher = fitted({"k device_map": {"a": 50, "b": -20}})
    one = "model = load(device_map=x)"
    assert scores(matcher, one) == [50, -20]
    assert scores(matcher, f"{one}\n{one}") == [50, -20]
    assert scores(matcher, "model = load(dtype=x)") == [0, 0]


@pytest.mark.parametrize("zone", "afdch")
def test_of_many_features_of_a_crowded_zone_each_counts_less(zone):
    assert [shared(count) for count in (1, 12, 48, 108)] == [100, 100, 50, 33]
    matcher = fitted()
    evidence = matcher.evidence("")
    evidence.features = {f"{zone} {number}": 0 for number in range(48)}
    matcher.learnt = fitted({f"{zone} 0": {"a": 100}, f"{zone} 47": {"b": -100}}).learnt
    assert matcher.residual(evidence) == [50, -50]


def test_a_zone_that_is_not_crowded_keeps_its_whole_weight():
    matcher = fitted({"k 0": {"a": 100}})
    evidence = matcher.evidence("")
    evidence.features = {f"k {number}": 0 for number in range(48)}
    assert matcher.residual(evidence) == [100, 0]


def test_points_may_be_asked_for_again():
    matcher = fitted({"k device_map": {"a": 50}})
    assert matcher.points("k device_map") == matcher.points("k device_map") == [(0, 50)]
    assert matcher.points("k nothing") == []


def test_shares_follow_the_temperature():
    even = fitted(heat=100).shares([100, 0])
    assert even == pytest.approx([0.7310586, 0.2689414])
    assert fitted(heat=50).shares([100, 0]) == pytest.approx([0.8807971, 0.1192029])
    assert fitted().shares([-900, -900]) == pytest.approx([0.5, 0.5])
    assert fitted().shares([]) == []


# the answer


def test_equal_causes_stand_in_the_order_of_the_index():
    assert [
        cause["id"]
        for cause in fitted(groups={"final": 0, "unexplained": 0, "unshown": 0}).explain(COPY)["causes"]
    ] == ["a", "b"]


def test_a_share_is_rounded_to_whole_per_cent():
    matcher = fitted(groups={"final": 50, "unexplained": 0, "unshown": 0})
    assert [cause["share"] for cause in matcher.explain(COPY)["causes"]] == [62, 38]
    assert [cause["score"] for cause in matcher.explain(COPY)["causes"]] == [50, 0]


def test_a_cause_below_one_per_cent_is_listed_where_it_shows_a_message_of_the_text():
    unlikely = fitted(groups={"final": -900, "unexplained": 0, "unshown": 0})
    assert [cause["id"] for cause in unlikely.explain(COPY)["causes"]] == ["b", "a"]
    likely = fitted(groups={"final": 900, "unexplained": 0, "unshown": 0})
    assert [cause["id"] for cause in likely.explain(COPY)["causes"]] == ["a"]


def test_an_answer_lists_so_many_causes_at_most():
    causes = {f"c{number:02}": shows("copy") for number in range(SHOWN + 6)}
    assert len(compiled(causes, SYMPTOMS).explain(COPY)["causes"]) == SHOWN


def test_one_cause_is_named_from_the_share_on_that_was_fitted():
    through = {"through": "user:go"}
    causes = {"a": shows("copy", through), "b": shows("item")}
    for sure, verdict in ((99, "symptom"), (90, "cause")):
        matcher = compiled(causes, SYMPTOMS, weights={"groups": {}, "sure": sure})
        answer = matcher.explain(WHOLE + COPY)
        assert answer["verdict"] == verdict, answer["causes"][0]["share"]
        assert (answer["next"] is None) == (verdict == "cause")


def certain(*clues, **more):
    """A matcher that is sure of the cause `a` whatever stands in the text."""
    return compiled(
        {"a": shows("copy", *clues, **more), "b": shows("item")},
        SYMPTOMS,
        weights={"groups": {}, "bias": {"a": 2000, "b": 0}},
    )


def test_no_cause_is_named_for_its_message_only():
    assert certain().explain(COPY)["verdict"] == "symptom"
    assert certain(tells="alone").explain(COPY)["verdict"] == "cause"
    assert certain(tells="alone").explain(ITEM)["verdict"] == "symptom"
    assert certain({"calls": "to_empty"}).explain(f"m.to_empty()\n{COPY}")["verdict"] == "cause"
    assert certain({"calls": "to_empty"}).explain(COPY)["verdict"] == "symptom"


@pytest.mark.parametrize(
    ("clue", "text"),
    [
        ({"version": {"torch": ">=2.5"}}, f"torch==2.6.0\n{COPY}"),
        ({"wording": "only"}, COPY),
        ({"not_through": "lib.b:run"}, WHOLE + COPY),
    ],
)
def test_what_many_causes_may_share_supports_none(clue, text):
    assert not set(clue) & set(CHECKED)
    answer = certain(clue).explain(text)
    assert answer["causes"][0]["yes"]
    assert answer["verdict"] == "symptom"


def test_a_question_answered_with_yes_supports_a_cause_and_with_no_it_is_not_named():
    matcher = certain({"ask": "Is it so?"}, tells="alone")
    name = matcher.index["clues"][0][1]
    assert matcher.explain(COPY)["verdict"] == "cause"
    assert matcher.explain(COPY, {name: True})["verdict"] == "cause"
    assert matcher.explain(COPY, {name: False})["verdict"] == "symptom"
    other = certain({"ask": "Is it so?"})
    assert other.explain(COPY)["verdict"] == "symptom"
    assert other.explain(COPY, {name: True})["verdict"] == "cause"


def test_a_clue_answered_with_no_does_not_unname_a_cause():
    assert certain({"through": "lib.a:run"}, tells="alone").explain(WHOLE + COPY)["verdict"] == "cause"


def test_the_reasons_stand_in_the_order_of_what_they_count_and_each_once():
    body = shows("copy", {"calls": "to_empty"}, {"version": {"torch": ">=2"}}, {"says": "left behind"})
    matcher = compiled(
        {"a": body, "b": shows("item")},
        SYMPTOMS,
        weights={"groups": {"calls": 50, "version": 200, "says": -300}},
    )
    answer = matcher.explain(f"torch==2.6.0\nit was left behind.\nm.to_empty()\n{COPY}")
    yes = answer["causes"][0]["yes"]
    assert [(reason["clue"], reason["line"]) for reason in yes] == [("says", 2), ("version", 0), ("calls", 3)]
    assert [reason["text"] for reason in yes] == ["it was left behind.", "", "m.to_empty()"]


def test_two_clues_that_say_the_same_are_one_reason():
    one, other = {"calls": ["to_empty", "first"]}, {"calls": ["to_empty", "second"]}
    answer = certain(one, other).explain(f"m.to_empty()\n{COPY}")
    assert [reason["says"] for reason in answer["causes"][0]["yes"]] == ["Your code has `to_empty`."]


def test_a_clue_is_named_by_an_id_that_stays_with_its_words():
    names = {
        clue[1]
        for other in ({"calls": "first"}, {"calls": "second"})
        for clue in certain(other, {"calls": "to_empty"}).index["clues"]
        if "to_empty" in str(clue)
    }
    assert len(names) == 1
    answer = certain({"calls": "to_empty"}).explain(f"m.to_empty()\n{COPY}")
    assert answer["causes"][0]["yes"][0]["id"] in names


@pytest.mark.parametrize(
    ("clue", "text", "says"),
    [
        ({"calls": ["first", "to_empty"]}, f"m.to_empty()\n{COPY}", "Your code has `to_empty`."),
        (
            {"says": ["thrown away", "left behind"]},
            f"it was left behind.\n{COPY}",
            "The text says “left behind”.",
        ),
        (
            {"through": ["lib.a:run", "user:go"]},
            WHOLE + COPY,
            "The traceback passes `user:go`.",
        ),
        (
            {"through": ["lib.a:run", "lib.b:run"]},
            WHOLE + COPY,
            "The traceback does not pass `lib.a:run` or `lib.b:run`.",
        ),
        ({"not_through": "lib.a:run"}, WHOLE + COPY, "The traceback does not pass `lib.a:run`."),
        ({"not_through": "user:go"}, WHOLE + COPY, "The traceback passes `user:go`."),
        ({"earlier": "skipped"}, f"{SKIPPED}\n{COPY}", "“copying from” was printed before it."),
        ({"not_earlier": "skipped"}, f"{SKIPPED}\n{COPY}", "“copying from” was printed before it."),
        ({"wording": "only"}, COPY, "The message has the wording only."),
        ({"version": {"torch": ">=2"}}, f"torch==2.6\n{COPY}", "The installed version is torch >=2."),
        ({"ask": "Is it so?"}, COPY, "Is it so?"),
    ],
)
def test_a_reason_says_what_was_found_and_an_absence_all_that_is_not_there(clue, text, says):
    found = certain(clue).explain(text)["causes"][0]
    assert [reason["says"] for kind in ("yes", "no", "open") for reason in found[kind]] == [says]


@pytest.mark.parametrize("clue", [{"earlier": "skipped"}, {"not_earlier": "skipped"}])
def test_what_was_printed_before_is_quoted_where_it_stands(clue):
    found = certain(clue).explain(f"torch==2.6.0\n{SKIPPED}\n{COPY}")["causes"][0]
    assert [(reason["line"], reason["text"]) for reason in found["yes"] + found["no"]] == [(2, SKIPPED)]


def test_another_wording_is_said_to_be_another():
    body = shows("worded", {"wording": "long"})
    matcher = compiled({"a": body}, SYMPTOMS)
    assert matcher.explain(f"RuntimeError: {SHORT}")["causes"][0]["no"][0]["says"] == (
        "The message does not have the wording long."
    )


# what was learnt, as reasons


def quoted(learnt, text, telling=60):
    matcher = fitted(learnt)
    matcher.index["telling"] = telling
    found = next(cause for cause in matcher.explain(text)["causes"] if cause["id"] == "a")
    return [(reason["clue"], reason["line"], reason["text"]) for reason in found["yes"]]


def test_a_line_that_known_cases_have_too_is_a_reason_from_a_threshold_on():
    text = f"m = load(device_map=x)\n{COPY}"
    line = ("learnt", 1, "m = load(device_map=x)")
    assert quoted({"k device_map": {"a": 60}}, text) == [line]
    assert quoted({"k device_map": {"a": 50}}, text) == []
    assert quoted({"k device_map": {"a": 30}, "c load": {"a": 30}}, text) == [line], "features add up"
    assert quoted({"k device_map": {"a": 60}, "c load": {"a": -10}}, text) == []
    assert quoted({"k device_map": {"b": 90}}, text) == []


def test_the_message_and_the_releases_are_no_line_in_common():
    for feature in ("m copy", "M copy", "v torch 2.6"):
        assert quoted({feature: {"a": 90}}, f"torch==2.6.0\n{COPY}") == [], feature


def test_the_most_telling_lines_are_quoted_and_no_more_than_a_few():
    names = [f"argument_{number}" for number in range(LEARNT + 2)]
    text = "\n".join(f"m = load({name}=x)" for name in names) + f"\n{COPY}"
    learnt = {f"k {name}": {"a": 60 + 10 * min(number, 2)} for number, name in enumerate(names)}
    assert [line for _, line, _ in quoted(learnt, text)] == [3, 4, 5], "of equal ones the first"


def test_a_line_that_a_clue_quotes_is_not_quoted_again():
    matcher = compiled(
        {"a": shows("copy", {"calls": "to_empty"}), "b": shows("item")},
        SYMPTOMS,
        weights={"groups": {}, "learnt": {"i to_empty": {"a": 90}, "k device_map": {"a": 70}}},
    )
    answer = matcher.explain(f"m.to_empty()\nm = load(device_map=x)\n{COPY}")
    assert [(reason["clue"], reason["line"]) for reason in answer["causes"][0]["yes"]] == [
        ("calls", 1),
        ("learnt", 2),
    ]


def test_a_quoted_line_is_cut_where_it_is_long():
    text = f"m = load(device_map=x, {'y' * 300})\n{COPY}"
    assert [len(line) for _, _, line in quoted({"k device_map": {"a": 90}}, text)] == [120]


# is it about the meta device?


def test_the_kind_of_text_alone_never_makes_it_a_meta_problem():
    matcher = fitted()
    matcher.known = {"bias": 500, "weights": {"! trace": 900, "! words": -900, "! hint": 200}}
    assert matcher.doubt(["! trace"]) == 0
    assert matcher.doubt(["! trace", "! hint"]) == 200
    assert matcher.doubt(["! words", "! hint"]) == -200
    assert matcher.doubt(["! words", "! hint", "! unheard"]) == -200


def signs(text, **more):
    lookalikes = {
        "plain": {"title": "P", "says": "p", "messages": ["two real devices"]},
        "last": {"title": "L", "says": "l", "messages": ["out of memory"], "final": True},
        "strong": {"title": "S", "says": "s", "messages": ["tags of a page"], "strong": True},
    }
    matcher = compiled({"a": shows("copy"), "b": shows("silent")}, SYMPTOMS, lookalikes, **more)
    return {sign for sign in matcher.signs(matcher.evidence(text)) if sign[0] == "!"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("it hangs", {"! words"}),
        ('File "mine.py", line 3, in go', {"! trace"}),
        (COPY, {"! trace", "! raised 0", "! ended known"}),
        (
            "ValueError: no",
            {"! trace", "! ended other", "! nothing then other"},
        ),
        (f"{WHOLE}ValueError: no", {"! trace", "! ended own", "! nothing then own"}),
        (
            f"{COPY}\nValueError: no",
            {"! trace", "! raised 0", "! ended other", "! raised 0 then other"},
        ),
        ("m.to_empty()", {"! words", "! hint"}),
        ("two real devices", {"! words", "! alike alone", "! alike plain"}),
        ("out of memory", {"! words", "! alike alone", "! alike last", "! alike final"}),
        ("tags of a page", {"! words", "! alike alone", "! alike strong"}),
    ],
)
def test_what_tells_a_meta_problem_from_others(text, told):
    assert signs(text) == told


def test_a_look_alike_beside_a_message_of_ours_weighs_by_what_that_is():
    beside = signs(f"out of memory\n{COPY}")
    assert {"! alike", "! alike last"} <= beside
    assert not {"! alike alone", "! alike final"} & beside
    assert "! alike final" in signs(f"x.py:3: {SKIPPED}\nout of memory"), "a notice does not outweigh it"


def test_the_last_look_alike_is_the_one_that_counts():
    assert "! alike last" in signs("two real devices\nout of memory")
    assert "! alike plain" in signs("out of memory\ntwo real devices")


def test_a_range_is_of_every_package_that_is_stated():
    ranges = {"torch": ">=2.5", "peft": "<0.5"}
    assert inside(ranges, {"torch": "2.6"}) == YES
    assert inside(ranges, {"torch": "2.6", "peft": "0.6"}) == NO
    assert inside(ranges, {"torch": "2.4", "peft": "0.4"}) == NO
    assert inside(ranges, {}) == 0
