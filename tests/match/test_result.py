"""What is shown of an answer: which line is quoted, what a reader's no does, what is said of runs."""

from __future__ import annotations

import pytest

from unmeta.match import explain
from unmeta.match.result import decided, ran, shown_fix, words

NOTICE = "Some parameters are on the meta device because they were offloaded to the disk and cpu."
BACKWARD = """\
Traceback (most recent call last):
  File "/home/me/train.py", line 21, in <module>
    step(model, batch)
  File "/home/me/train.py", line 12, in step
    loss.backward()
  File "/usr/lib/python3/site-packages/torch/_tensor.py", line 620, in backward
    torch.autograd.backward(
RuntimeError: Function MmBackward0 returned an invalid gradient at index 1 - expected device meta but got cpu
"""
MOVED = """\
Traceback (most recent call last):
  File "/home/me/serve.py", line 31, in serve
    self.pipe.to(device)
  File "/usr/lib/python3/site-packages/accelerate/big_modeling.py", line 470, in wrapper
    raise RuntimeError("You can't move a model that has some modules offloaded to cpu or disk.")
RuntimeError: You can't move a model that has some modules offloaded to cpu or disk.
"""
STACKS = {
    "old": {"torch": "2.1.2", "transformers": "4.46.3", "accelerate": "1.1.1"},
    "new": {"torch": "2.13.0", "transformers": "5.24.0", "accelerate": "1.15.0"},
}


def fix(**runs: dict[str, str]) -> dict[str, dict[str, str]]:
    return {"ran": {}, **runs}


def test_the_readers_line_is_quoted_and_not_the_notice_before_it() -> None:
    shown = explain(f"{NOTICE}\n{BACKWARD}", versions={}).result
    assert shown.line.text == "loss.backward()"
    assert shown.line.place == "train.py:12"
    assert shown.line.number == 6


def test_without_the_readers_code_the_notice_is_quoted_as_a_whole() -> None:
    shown = explain(f"{NOTICE}\n{BACKWARD.splitlines()[-1]}", versions={}).result
    assert shown.line.text in (NOTICE, BACKWARD.splitlines()[-1])
    (mark,) = shown.line.marks
    assert mark[1] == len(shown.line.text)


def test_a_no_is_said_and_no_cause_is_the_only_one_that_fits() -> None:
    text = f"{NOTICE}\n{BACKWARD}"
    sure = explain(text)
    assert sure.verdict == "cause"
    assert not sure.result.denied
    (asked,) = sure.result.questions
    again = explain(text, {asked.id: False})
    assert again.causes[0].id == sure.causes[0].id
    assert again.causes[0].share < sure.causes[0].share
    assert again.verdict == "symptom"
    assert again.result.denied
    said = f"Your no speaks against this cause, but nothing fits the text better ({again.result.share} %)."
    assert words(again, again.result)[0] == ("verdict", said)
    other = explain(MOVED, {explain(MOVED).result.questions[0].id: False})
    assert other.causes[0].id != explain(MOVED).causes[0].id
    assert not other.result.denied


def test_a_change_that_only_takes_away_says_so() -> None:
    made = {"id": "a", "title": "A", "script": ""}
    assert shown_fix({**made, "diff": "-model.to(0)"}, None)["goes"] == "Delete this line."
    assert shown_fix({**made, "diff": "-a()\n b()\n-c()"}, None)["goes"] == "Delete these 2 lines."
    assert shown_fix({**made, "diff": "-a()\n+b()"}, None)["goes"] == ""
    assert shown_fix({**made, "diff": "+b()"}, None)["goes"] == ""
    shown = explain(MOVED, versions={}).result
    assert shown.fix.change == ""
    assert ("goes", "Delete this line.") in words(explain(MOVED), shown)


@pytest.mark.parametrize(
    ("runs", "yours", "said"),
    [
        (fix(), {}, "Not run yet."),
        (
            fix(ran={"new": "2026-12-01"}),
            {},
            "✓ Ran once, with torch 2.13.0, transformers 5.24.0, accelerate 1.15.0 (2026-12-01).",
        ),
        (
            fix(ran={"new": "2026-12-01", "old": "2026-11-30"}),
            {},
            "✓ Ran on 2 stacks, last with torch 2.13.0, transformers 5.24.0, accelerate 1.15.0 (2026-12-01).",
        ),
        (
            fix(ran={"new": "2026-12-01", "old": "2026-11-30"}),
            {"transformers": "4.46"},
            "✓ Ran on your versions: transformers 4.46.3, with torch 2.1.2, accelerate 1.1.1 (2026-11-30).",
        ),
        (
            fix(ran={"new": "2026-12-01"}, missed={"old": "2026-11-30"}),
            STACKS["old"],
            "✗ Missed its goal on your versions: "
            "torch 2.1.2, transformers 4.46.3, accelerate 1.1.1 (2026-11-30).",
        ),
        (
            fix(ran={"new": "2026-12-01"}, missed={"old": "2026-11-30"}),
            {"transformers": "5.20.0"},
            "Yours: transformers 5.20.0. "
            "Nearest run: ✓ torch 2.13.0, transformers 5.24.0, accelerate 1.15.0 (2026-12-01).",
        ),
        (
            fix(missed={"old": "2026-11-30"}),
            {},
            "✗ Missed its goal with torch 2.1.2, transformers 4.46.3, accelerate 1.1.1 (2026-11-30).",
        ),
    ],
)
def test_runs_are_told_with_sign_versions_and_day(
    runs: dict[str, dict[str, str]], yours: dict[str, str], said: str
) -> None:
    assert ran(runs, STACKS, yours) == said


def test_a_message_with_many_causes_says_what_it_means() -> None:
    answer = explain("NotImplementedError: Cannot copy out of meta tensor; no data!")
    assert not decided(answer)
    told = dict(words(answer, answer.result))
    assert "to_empty()" in told["means"]
    assert "[[" not in told["means"]
    assert "trap" not in told
