"""The page and the terminal show the same in the same words, for every kind of paste."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from unmeta.kb import evidence
from unmeta.kb.load import load
from unmeta.match.card import card
from unmeta.match.likely import entries_of
from unmeta.match.result import result, words
from unmeta.match.score import Matcher
from unmeta.train import examples, forms

ROOT = Path(__file__).parents[2]
SCRIPTS = ("matcher.js", "result.js")
YOURS = ({}, {"torch": "2.13.0", "transformers": "5.24.0"}, {"accelerate": "0.27.2", "torch": "2.1.0+cu118"})
Both = Callable[[list[tuple[str, dict[str, bool], dict[str, str]]]], Iterator[tuple[Any, Any]]]


@pytest.fixture(scope="module")
def both(matcher: Matcher) -> Both:
    """What Python and the page's scripts make of texts with answers and versions."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    data = entries_of(ROOT)
    cards = {entry["id"]: card(entry) for kind in ("causes", "symptoms") for entry in data[kind]}

    def shown(asked: list[tuple[str, dict[str, bool], dict[str, str]]]) -> Iterator[tuple[Any, Any]]:
        lines = [{"index": matcher.index, "cards": cards, "stacks": data["stacks"]}]
        lines += [{"text": text, "answers": told, "versions": yours} for text, told, yours in asked]
        folder = ROOT / "docs" / "assets" / "javascripts"
        done = subprocess.run(
            [node, str(Path(__file__).with_name("result.js")), *(str(folder / name) for name in SCRIPTS)],
            input="".join(json.dumps(line) + "\n" for line in lines),
            capture_output=True, text=True, encoding="utf-8", check=True,
        )  # fmt: skip
        theirs = done.stdout.splitlines()
        assert len(theirs) == len(asked)
        for (text, told, yours), line in zip(asked, theirs, strict=True):
            seen = matcher.evidence(text)
            answer = matcher.rank(seen, told)
            ours = result(matcher.index, seen, answer, told, cards.get, data["stacks"], yours)
            said = words(answer, ours) if ours else None
            yield json.loads(json.dumps({"shown": ours, "words": said})), json.loads(line)

    return shown


@pytest.fixture(scope="module")
def programs() -> list[tuple[str, str]]:
    """What programs printed, with their keys."""
    catalogue = load(ROOT)
    return [(program.key, text) for program, text in examples.programs_of(ROOT, catalogue)]


def test_programs_in_their_forms(both: Both, programs: list[tuple[str, str]]) -> None:
    names = list(forms.NAMES)
    asked = [
        (forms.put(text, names[at % len(names)]) if at % 3 else text, {}, YOURS[at % len(YOURS)])
        for at, (_, text) in enumerate(programs)
    ]
    yours = 0
    for ours, theirs in both(asked):
        assert ours == theirs
        yours += bool(ours["shown"] and ours["shown"]["fix"] and ours["shown"]["fix"]["yours"])
    assert yours > len(asked) / 10, "changes are put into the reader's names"


def test_code_and_words(both: Both) -> None:
    catalogue = load(ROOT)
    texts = [snippet.text for key, snippet in catalogue.snippets.items() if "/broken" in key]
    texts += [f"{report.printed or ''}\n{report.context}" for report in catalogue.reports]
    for ours, theirs in both([(text, {}, YOURS[at % 3]) for at, text in enumerate(texts)]):
        assert ours == theirs


def test_a_bracket_that_an_empty_line_follows(both: Both) -> None:
    rich = """Traceback (most recent call last)
/home/user/app/w.py:34 in <module>

  31 model.load_state_dict(state,
  32
  33     strict=False,
❱ 34 )
  35

NotImplementedError: Cannot copy out of meta tensor; no data!
"""
    ((ours, theirs),) = both([(rich, {}, {})])
    assert ours == theirs


def test_answers(both: Both, matcher: Matcher) -> None:
    text = "NotImplementedError: Cannot copy out of meta tensor; no data!"
    open_clues = [clue["id"] for cause in matcher.explain(text)["causes"] for clue in cause["open"]]
    asked = [(text, {clue: at % 2 == 0}, {}) for at, clue in enumerate(open_clues)]
    for (_, told, _), (ours, theirs) in zip(asked, both(asked), strict=True):
        assert ours == theirs
        assert [item["id"] for item in ours["shown"]["said"]] == list(told)


def test_a_frame_of_a_run_is_quoted(both: Both) -> None:
    from unmeta.kb.runs import printed_text

    # What several stacks printed alike is tried once.
    texts = dict.fromkeys(
        printed_text(observation)
        for runs in evidence.load(ROOT).values()
        for observation in runs.snippets.values()
        if observation.outcome == "raised"
    )
    for ours, theirs in both([(text, {}, {}) for text in list(texts)[::7]]):
        assert ours == theirs
