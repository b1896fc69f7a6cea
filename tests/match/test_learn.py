"""What labelled reports teach: every number by hand on a handful of them."""

import pytest

from unmeta.kb.load import Catalogue
from unmeta.kb.model import Cause, Report, Symptom
from unmeta.match.learn import (
    BELIEF,
    Ending,
    endings,
    lessons_of,
    likelihood,
    prior,
    reported,
    traits,
    worth,
)
from unmeta.match.wordings import wordings_of

NO_DATA = "NotImplementedError: Cannot copy out of meta tensor; no data!"
FRAME = 'File "/x/site-packages/peft/peft_model.py", line 3, in merge_adapter'


def report(number, cause, context, also=(), printed=NO_DATA):
    return Report(source=f"o/r#{number}", printed=printed, context=context, cause=cause, also=list(also))


REPORTS = [
    report(1, "merge", "merge_and_unload() of an adapter", printed=f"{FRAME}\n{NO_DATA}"),
    report(2, "merge", "an adapter was merged", also=["move"], printed=f"{FRAME}\n{NO_DATA}"),
    report(3, "move", "model.to(device) after loading"),
    report(4, "move", "model.to(device) in a notebook"),
    report(5, "move", "nothing was printed", printed=""),
    report(6, "not-meta", "an adapter of another kind", printed="ValueError: no"),
    report(7, "other", "an adapter again"),
]


@pytest.fixture(scope="module")
def small():
    body = {"area": "torch", "title": "t", "summary": "What happened.", "cause": "Why."}
    shown = {"symptoms": [{"id": "no-data", "tells": "with", "clues": [{"ask": "Was it moved?"}]}]}
    symptom = {"id": "no-data", "title": "t", "kind": "exception", "type": "NotImplementedError"}
    return Catalogue(
        {name: Cause.model_validate({"id": name, **body, **shown}) for name in ("merge", "move")},
        {
            "no-data": Symptom.model_validate(
                {
                    **symptom,
                    "messages": {"bare": "Cannot copy out of meta tensor; no data!"},
                    "near_misses": ["no data to copy"],
                }
            )
        },
        {}, {}, {}, reports=REPORTS,
    )  # fmt: skip


@pytest.fixture(scope="module")
def lessons(small):
    return lessons_of(small, wordings_of(small))


def test_only_reports_with_an_entry_are_lessons(lessons):
    assert [lesson.report.source for lesson in lessons] == [f"o/r#{number}" for number in range(1, 6)]


def test_a_fair_second_answer_counts_by_half(lessons):
    assert [lesson.fits("move") for lesson in lessons] == [0, 0.5, 1, 1, 1]


def test_counts_by_the_message_that_a_report_ends_in(small, lessons):
    assert reported(lessons) == {"merge": {0: 2}, "move": {0: 2.5}}, "a report without a message has none"
    assert endings(small) == {"no-data": Ending(4, {"merge": 2, "move": 3})}


def test_more_reports_more_points(lessons):
    assert prior("move", lessons) > prior("merge", lessons) > prior("unheard-of", lessons) == 0
    assert likelihood(7) == 3 * likelihood(1)


def test_a_clue_is_worth_what_reports_say(lessons):
    def of(value, claimed, key="mentions", points=20):
        return worth(key, value, claimed, points, 45, lessons)

    assert of("adapter", {"merge"}) > of("device", {"merge"}), "one goes with the cause, one with another"
    assert of("device", {"merge"}) < 20 < of("device", {"move"}) + 20
    assert of("never written", {"merge"}) <= 20, "what no report has keeps its weight, a little less"
    assert of("peft.peft_model:PeftModel.merge_adapter", {"merge"}, "through") >= of("adapter", {"merge"})
    assert worth("version", "torch>=2", {"merge"}, 12, 12, lessons) == 12, "versions are not learnt"
    assert worth("mentions", "adapter", {"merge"}, 20, 45, []) == 20, "without reports rarity decides"


def test_a_belief_weighs_as_much_as_its_reports(lessons):
    many = worth("mentions", "device", {"merge"}, 40, 45, lessons * (20 * BELIEF))
    assert many == 0, "enough reports against it outweigh any belief"


def test_traits_are_words_functions_and_messages_that_more_than_one_report_has(lessons):
    learnt = traits(["merge", "move"], [*lessons[:2] * 4, *lessons[2:4] * 20, lessons[4]], {"model"})
    assert "peft/peft_model:merge_adapter" in learnt
    assert learnt["adapter"][0] == 0, "the word goes with the first cause"
    assert "printed" not in learnt, "one report is no rule"
    assert all(points > 0 for posting in learnt.values() for points in posting[1::2])
