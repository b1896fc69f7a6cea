"""What is fitted answers as the matcher does, learns what tells causes apart, and is measured unseen."""

import json
from pathlib import Path

import numpy as np
import pytest

from unmeta.kb.load import Catalogue
from unmeta.kb.model import NOT_META, OTHER, Cause, Symptom
from unmeta.match.compile import CLAIMS, compile_index, to_json
from unmeta.match.pack import STEP
from unmeta.match.score import Matcher, paged
from unmeta.train import measure
from unmeta.train.__main__ import GUESS, to_text
from unmeta.train.build import causes_of, plain_matcher, rows_of
from unmeta.train.examples import Example
from unmeta.train.fit import (
    Known,
    Read,
    fit_known,
    fit_ranking,
    fold,
    heat,
    read,
    scale,
    steadied,
    to_weights,
)
from unmeta.train.measure import Judged

NO_DATA = "NotImplementedError: Cannot copy out of meta tensor; no data!"
CAUSES = {
    "adapter": "The adapter's weights were left out",
    "moved": "A model without weights was moved",
}
SAID = {
    "adapter": "The LoRA adapter of the checkpoint was fused",
    "moved": "The skeleton of the pipeline was sent to a GPU",
}
OTHERS = "How are pages of a website given their tags"


def tiny() -> Catalogue:
    rest = {"area": "torch", "summary": "What happened.", "cause": "Why."}
    shown = [{"id": "no-data", "tells": "with", "clues": [{"ask": "Is it so?"}]}]
    symptom = {
        "id": "no-data", "title": "no data", "kind": "exception", "type": "NotImplementedError",
        "messages": {"only": "Cannot copy out of meta tensor; no data!"}, "near_misses": ["x"],
    }  # fmt: skip
    return Catalogue(
        {
            name: Cause.model_validate({"id": name, "title": title, "symptoms": shown, **rest})
            for name, title in CAUSES.items()
        },
        {"no-data": Symptom.model_validate(symptom)},
        {}, {}, {},
    )  # fmt: skip


def example(cause: str, number: int, weight: float = 1.0) -> Example:
    text = f"{SAID[cause]}, run {number}.\n{NO_DATA}" if cause in SAID else f"{OTHERS}, run {number}?"
    return Example(text, {cause: 1.0}, f"report {cause}{number}/x", "report, printed, with context", weight)


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return plain_matcher(tiny())


@pytest.fixture(scope="module")
def rows(matcher: Matcher) -> list[Read]:
    return read([example(cause, at) for cause in (*CAUSES, NOT_META) for at in range(8)], matcher)


@pytest.fixture(scope="module")
def whole(rows: list[Read]) -> measure.Fitted:
    return measure.fitted(rows, tuple(CAUSES))


@pytest.fixture(scope="module")
def weights(whole: measure.Fitted) -> dict:
    return to_weights(whole.model, whole.known, whole.heat, whole.sure, GUESS)


def test_words_that_tell_causes_apart_are_learnt_for_texts_that_were_not_seen(whole, matcher):
    unseen = [example(cause, 99) for cause in CAUSES]
    for one, answer in zip(unseen, whole.judge(read(unseen, matcher)), strict=True):
        assert answer.ranked[0] == next(iter(one.right))
        assert answer.rank() == 0
        assert answer.known
        assert answer.share > 0.6


def test_what_is_fitted_answers_as_the_matcher_does_that_carries_it(whole, weights, matcher):
    carried = Matcher(json.loads(to_json(compile_index(tiny(), weights=weights))))
    texts = [
        *(example(cause, 99) for cause in (*CAUSES, NOT_META)),
        Example("The adapter was sent to a GPU.\n" + NO_DATA, {OTHER: 1.0}, "g", "k", 1.0),
        Example("the LoRA skeleton", {OTHER: 1.0}, "g", "k", 1.0),
        Example(SAID["moved"], {OTHER: 1.0}, "g", "k", 1.0),
    ]
    for one, row in zip(texts, read(texts, matcher), strict=True):
        fitted = whole.judge([row])[0]
        answer = carried.explain(one.text)
        assert answer["known"] == fitted.known, one.text
        scores, _ = carried.scores(carried.evidence(one.text), {})
        # The fit's weights are as coarse as the index keeps them; sums are cut to hundredths by feature.
        assert np.allclose(np.array(scores) / 100, whole.model.scores([row])[0], atol=0.2), one.text


def test_only_what_several_groups_show_is_learnt_from(matcher):
    few = [example("moved", 1), example("moved", 1), *(example("adapter", at) for at in range(4))]
    features = fit_ranking(read(few, matcher), tuple(CAUSES)).features
    own = {cause: set(read([example(cause, 1)], matcher)[0].features) for cause in CAUSES}
    assert own["adapter"] - own["moved"] <= set(features)  # four groups
    assert not (own["moved"] - own["adapter"]) & set(features)  # two rows of one


def test_rows_without_an_entry_teach_no_ranking(rows):
    before = fit_ranking(rows, tuple(CAUSES))
    other = Read(example("moved", 3), rows[0].features, rows[0].claims, rows[0].signs)
    object.__setattr__(other, "example", Example("x", {OTHER: 1.0}, "report q/x", "k", 1.0))
    after = fit_ranking([*rows, other], tuple(CAUSES))
    assert np.array_equal(before.weights, after.weights)


def test_what_is_learnt_is_kept_as_the_index_keeps_it_and_what_is_slight_is_not(rows):
    model = fit_ranking(rows, tuple(CAUSES))
    for feature, row in model.features.items():
        for weight in 100 * model.weights[row] * scale(feature):
            assert weight == pytest.approx(STEP * round(weight / STEP))
    learnt = to_weights(model, Known(0.0, {}), 1.0, 90, GUESS)["learnt"]
    assert 0 < len(learnt) < len(model.features)  # what both causes show tells neither


def test_a_stronger_penalty_learns_less(rows):
    loose, tight = (fit_ranking(rows, tuple(CAUSES), penalty) for penalty in (0.1, 10.0))
    assert np.abs(tight.weights).sum() < 0.5 * np.abs(loose.weights).sum()


def test_a_fair_answer_takes_its_share(matcher):
    both = Example(NO_DATA, {"adapter": 1.0, "moved": 0.5}, "report a/x", "k", 1.0)
    model = fit_ranking(read([both] * 40, matcher), ("adapter", "moved"), penalty=0.001)
    adapter, moved = measure.shares(model.scores(read([both], matcher)), 1.0)[0]
    assert 0.62 < adapter < 0.68
    assert moved == pytest.approx(1 - adapter)


def test_the_rule_tells_meta_problems_from_others(rows):
    known = fit_known(rows)
    for row in rows:
        assert (known.total(row.signs) > 0) == row.example.meta
    # Of the parts that the total has, the score leaves out the bias and the kind of text where that helps.
    signs = ("! words", "! hint")
    rule = Known(2.0, {"! words": 1.0, "! hint": -0.5})
    assert (rule.total(signs), rule.score(signs)) == (2.5, -0.5)


def near_miss(
    score: float, group: str = "report a/x", kind: str = "report, printed, alone"
) -> tuple[Read, float]:
    one = Example("x", {NOT_META: 1.0}, group, kind, 1.0)
    return Read(one, (), np.zeros((2, len(CLAIMS))), ("! trace",)), score


def test_near_misses_that_were_taken_for_meta_problems_raise_the_threshold_of_their_kind():
    rule = Known(0.5, {"! trace": 1.0, "! words": 1.0})
    # 4 % of 50 may be mistaken: the two worst are, the third sets the threshold.
    scores = [9.0, 8.0, 3.0, *[-1.0] * 47]
    steady = steadied(rule, [near_miss(score) for score in scores])
    assert steady.signs == {"! trace": -2.0, "! words": 1.0}
    assert steady.bias == 0.5


def test_near_misses_below_the_threshold_leave_it_where_it_is():
    rule = Known(0.5, {"! trace": 1.0})
    assert steadied(rule, [near_miss(-1.0)] * 10).signs == {"! trace": 1.0}


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("entry a", "entry"),
        ("everyday a", "everyday"),
        ("report a/x", "report, context only"),
        ("program a", "code of program"),
    ],
)
def test_texts_that_nobody_pastes_set_no_threshold(group, kind):
    rule = Known(0.5, {"! trace": 1.0})
    assert steadied(rule, [near_miss(9.0, group, kind)] * 10).signs == {"! trace": 1.0}


def test_shares_that_promise_too_much_are_cooled_and_honest_ones_kept():
    right = np.array([[True, False]] * 3 + [[False, True]])  # the first is right three times of four
    bold, honest = np.array([[6.0, 0.0]] * 4), np.array([[np.log(3), 0.0]] * 4)
    assert heat(bold, right) == pytest.approx(3.0)  # the hottest there is
    assert heat(honest, right) == pytest.approx(1.0)
    shy = np.array([[0.6, 0.0]] * 4)
    assert heat(shy, right) == pytest.approx(0.55, abs=0.051)


def test_groups_are_dealt_to_all_folds_the_same_way_each_time():
    dealt = [fold(f"report {at}/x", 5) for at in range(500)]
    assert dealt == [fold(f"report {at}/x", 5) for at in range(500)]
    assert all(70 < dealt.count(at) < 130 for at in range(5))


def test_a_row_is_judged_by_weights_that_never_saw_its_group(rows, monkeypatch):
    fits, said = [], []

    def watched(own, causes):
        fits.append({row.example.group for row in own})
        return measure.Fitted(fit_ranking(own, causes), fit_known(own), 1.0, 90)

    monkeypatch.setattr(measure, "fitted", watched)
    judged = measure.cross_validated(rows, tuple(CAUSES), said.append)
    assert sorted(one.example.text for one in judged) == sorted(row.example.text for row in rows)
    assert said == [0, 1, 2, 3, 4]
    everything = {row.example.group for row in rows}
    for test, seen in enumerate(fits):
        assert everything - seen == {group for group in everything if fold(group, 5) == test}


def test_what_is_not_taught_is_not_learnt_from(rows, matcher):
    wrong = [
        Example(example("adapter", at).text, {"moved": 1.0}, f"report w{at}/x", "k", 0.0) for at in range(8)
    ]
    taught = measure.fitted(rows, tuple(CAUSES))
    with_wrong = measure.fitted([*rows, *read(wrong, matcher)], tuple(CAUSES))
    assert np.array_equal(taught.model.weights, with_wrong.model.weights)


def judged(rank: int = 0, **more) -> Judged:
    ranked = ["a", "b", "c", "d"]
    ranked[0], ranked[rank] = ranked[rank], ranked[0]
    body = {"right": {"a": 1.0}, "group": "report g/x", "kind": "report, printed, alone", "weight": 1.0}
    known = {name: more.pop(name) for name in ("known", "named") if name in more}
    return Judged(Example("x", **{**body, **more}), tuple(ranked), 0.9, **{"known": True, **known})


def test_figures_count_what_they_say():
    rows = [
        judged(),
        judged(2),
        judged(3, group="report h/x"),
        judged(known=False),
        judged(right={OTHER: 1.0}, known=False),  # no entry is right: counts for `known` alone
    ]
    assert measure.figures(rows) == {"rows": 5, "groups": 2, "first": 50.0, "three": 75.0, "known": 60.0}
    assert measure.figures([]) == {"rows": 0, "groups": 0, "first": 0.0, "three": 0.0, "known": 0.0}
    assert judged(right={"z": 1.0}).rank() == 4


def test_answers_that_name_one_cause_are_counted_with_how_many_are_right():
    assert measure.named([judged(named=True), judged(1, named=True), judged(), judged(2)]) == (50.0, 50.0)
    assert measure.named([]) == (0.0, 0.0)
    assert measure.named([judged()]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("group", "kind", "evidence", "right", "sets"),
    [
        ("report a/x", "report, printed, alone", "decisive", "a",
         ["report, printed, alone", "report, alone", "report, decisive, alone"]),
        ("report a/x", "report, told, with context", "", "a",
         ["report, told, with context", "report, with context"]),
        ("report a/x", "report, context only", "partial", "a", []),
        ("report a/x", "report, printed, alone", "", NOT_META, ["near misses, report"]),
        ("report a/x", "report, context only", "", NOT_META, []),
        ("program p", "program, whole", "decisive", "a",
         ["program, decisive", "program, decisive, as printed", "form, whole"]),
        ("program p", "program, docker", "decisive", "a", ["program, decisive", "form, docker"]),
        ("program p", "program, docker", "partial", "a", ["program, partial"]),
        ("program p", "program, last_line", "none", "a", ["program, last_line"]),
        ("program p", "code of program", "", "a", ["code of program"]),
        ("program p", "code of program", "", NOT_META, []),
        ("snippet s", "run, whole", "", "a", ["run, whole"]),
        ("snippet s", "code", "", "a", ["code"]),
        ("snippet s", "run, docker", "", "a", ["run, in other forms"]),
        ("entry e", "entry", "", "a", []),
        ("look-alike e", "look-alike", "", NOT_META, []),
    ],
)  # fmt: skip
def test_a_row_counts_in_the_measures_of_its_kind(group, kind, evidence, right, sets):
    assert measure.sets_of(Example("x", {right: 1.0}, group, kind, 1.0, evidence)) == sets


def test_the_table_has_a_row_for_each_measure():
    table = measure.table([judged(), judged(1, kind="report, told, alone")])
    assert list(table) == ["report, alone", "report, printed, alone", "report, told, alone"]
    assert (table["report, alone"]["rows"], table["report, alone"]["first"]) == (2, 50.0)


def calibration(shares: list[tuple[float, bool, bool]]) -> list[tuple[Read, np.ndarray]]:
    """Rows as (logits of the first over the second, whether it is right, whether a claim supports it)."""
    unseen = []
    for logit, right, backed in shares:
        claims = np.zeros((2, len(CLAIMS)))
        claims[0, CLAIMS.index("says")] = float(backed)
        one = Example(
            "x", {"adapter" if right else "moved": 1.0}, "report a/x", "report, printed, alone", 1.0
        )
        unseen.append((Read(one, (), claims, ()), np.array([logit, 0.0])))
    return unseen


def test_one_cause_is_named_from_the_share_on_at_which_answers_are_right():
    sure = [(3.0, True, True)] * 40
    unsure = [(0.5, True, True)] * 6 + [(0.5, False, True)] * 4
    temperature, threshold = measure.calibrated(calibration([*sure, *unsure]), tuple(CAUSES))
    low = 100 / (1 + np.exp(-0.5 / temperature))
    assert low < threshold <= 100 / (1 + np.exp(-3 / temperature))
    # What nothing supports that a person can check is named by no share, and sets none.
    _, without = measure.calibrated(calibration([*sure, *[(0.5, False, False)] * 4]), tuple(CAUSES))
    assert without == 50
    assert measure.calibrated(calibration([(3.0, False, True)] * 9), tuple(CAUSES))[1] == 99
    assert measure.calibrated([], tuple(CAUSES)) == (1.0, 90)


def test_a_cause_without_support_is_not_named(whole, matcher):
    row = read([example("moved", 99)], matcher)[0]
    place = {name: at for at, name in enumerate(CAUSES)}["moved"]
    sure = measure.Fitted(whole.model, whole.known, whole.heat, 1)
    assert not sure.judge([Read(row.example, row.features, np.zeros_like(row.claims), row.signs)])[0].named
    claims = np.zeros_like(row.claims)
    claims[place, CLAIMS.index("calls")] = 1.0
    assert sure.judge([Read(row.example, row.features, claims, row.signs)])[0].named
    never = measure.Fitted(whole.model, Known(-99.0, {}), whole.heat, 1)
    answer = never.judge([Read(row.example, row.features, claims, ("! words",))])[0]
    assert not paged(("! words",))
    assert (answer.known, answer.named) == (False, False)
    assert never.judge([]) == []


def test_the_file_of_weights_has_a_feature_a_line_and_is_read_back(weights):
    text = to_text(weights)
    assert json.loads(text) == weights
    lines = text.splitlines()
    for feature in weights["learnt"]:
        assert sum(line.startswith(f"  {json.dumps(feature)}: ") for line in lines) == 1


def test_a_checkout_becomes_rows_of_every_kind():
    good = Path(__file__).parents[1] / "good"
    assert causes_of(good) == ("half-copied",)
    rows = rows_of(good)
    kinds = {row.example.kind for row in rows}
    assert {"entry", "everyday", "code"} <= kinds
    code = next(row for row in rows if row.example.kind == "code")
    assert code.example.right == {"half-copied": 1.0}
    assert code.example.group == "snippet half-copied/broken.py"
    assert "assert" not in code.example.text  # the goal is none of the reader's
    assert {row.claims.shape for row in rows} == {(1, len(CLAIMS))}
