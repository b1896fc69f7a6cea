"""Entries that are begun: what tests/bad cannot show in one small catalogue."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Clue, Shown
from unmeta.kb.snippets import Snippet
from unmeta.kb.unfinished import nothing_is_left_to_do, phrases_tell_something

GOOD = Path(__file__).resolve().parent.parent / "good"


@pytest.fixture
def many() -> Catalogue:
    """Ten causes that all speak of tensors, one of them with a clue that does."""
    good = load(GOOD)
    own = good.causes["half-copied"]
    causes = {f"cause-{n}": own.model_copy(update={"id": f"cause-{n}"}) for n in range(10)}
    clues = [Clue(says=["tensor"]), Clue(says=["swap_tensors"])]
    shown = Shown(id="nothing-to-copy", tells="with", clues=clues)
    causes["cause-3"] = causes["cause-3"].model_copy(update={"symptoms": [shown]})
    return replace(good, causes=causes)


def test_a_word_of_all_entries_tells_nothing(many: Catalogue) -> None:
    (found,) = phrases_tell_something(many)
    assert (found.path, found.rule) == ("kb/causes/cause-3.yaml", "tells-nothing")
    assert "'tensor' stands in 10 of 10 entries" in found.message


def test_among_few_entries_no_word_is_common(many: Catalogue) -> None:
    few = dict(list(many.causes.items())[:9])
    assert list(phrases_tell_something(replace(many, causes=few))) == []


def test_a_snippet_that_is_not_written_yet() -> None:
    good = load(GOOD)
    key = "half-copied/broken.py"
    begun = Snippet(key, '"""TODO what the person is doing."""\n')
    (found,) = nothing_is_left_to_do(replace(good, snippets={**good.snippets, key: begun}))
    assert (found.path, found.line, found.rule) == (f"snippets/{key}", 1, "todo")
