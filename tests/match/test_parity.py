"""The browser and Python answer alike, to the letter: recorded runs in every form, and noise."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unmeta.kb import evidence
from unmeta.kb.runs import printed_text
from unmeta.train.forms import FORMS, parts_of, renamed

ROOT = Path(__file__).parents[2]

PHRASES = (
    "meta tensor device='meta' model.to(device) stuck on meta after loding lora adapter | from_pretrained "
    'device_map="auto" offload torch==2.3.1 transformers: 5.0.0 NotImplementedError: Cannot copy out of meta '
    "tensor; no data! 'Meta' backend — “quoted” … <module> &lt;br&gt; │ ❱ 🦙 é\u200b \x1b[31m [rank0]: > E   "
    "Tensor.item() cannot be called on meta tensors\r\n parameters: 2 of 2 on meta accelerate hooks: 0"
)
WORDS = PHRASES.split(" ")


def same(matcher, browser, texts):
    answers = browser(texts)
    assert len(answers) == len(texts)
    for text, theirs in zip(texts, answers, strict=True):
        asked = text if isinstance(text, tuple) else (text, {})
        ours = matcher.explain(*asked)
        assert json.dumps(ours) == json.dumps(theirs), text


def test_every_message_and_near_miss(matcher, browser, index):
    texts = ["", "?", *(title["title"] for title in index["symptoms"] + index["causes"])]
    same(matcher, browser, texts)


def test_every_recorded_run_in_every_form(matcher, browser):
    # What several stacks printed alike is tried once.
    distinct = {
        printed_text(observation): observation
        for runs in evidence.load(ROOT).values()
        for observation in runs.snippets.values()
    }
    texts = list(distinct)
    for seed, observation in enumerate(distinct.values()):
        chains = [parts_of(event) for event in observation.events if event.chain]
        for parts in chains[-1:]:
            form = list(FORMS.values())[seed % len(FORMS)]
            texts += [form(parts), form(renamed(parts, seed))]
    if not texts:
        pytest.skip("nothing is recorded yet")
    same(matcher, browser, texts)


def test_answers_re_rank_alike(matcher, browser):
    first = matcher.explain("Cannot copy out of meta tensor; no data!")
    asked = [clue["id"] for cause in first["causes"] for clue in cause["open"]]
    assert asked
    text = "Cannot copy out of meta tensor; no data!"
    same(matcher, browser, [(text, {clue: at % 2 == 0}) for at, clue in enumerate(asked)])


def test_long_logs(matcher, browser):
    chance = random.Random(5)
    line = "2025-01-02 03:04:05,678 INFO step loss offload Error: é "
    texts = [
        "".join(chance.choice((*WORDS, line)) + chance.choice(" \n") for _ in range(40_000)) for _ in range(3)
    ]
    same(matcher, browser, texts)


batches = st.lists(
    st.one_of(
        st.text(max_size=300),
        st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join),
        st.lists(st.sampled_from(WORDS), max_size=60).map("\n".join),
    ),
    min_size=40,
    max_size=60,
)


@settings(max_examples=10, deadline=None)
@given(texts=batches)
def test_noise(matcher, browser, texts):
    same(matcher, browser, [text.encode("utf-8", "replace").decode() for text in texts])
