"""The models: what YAML may say, and how narrow and wide forms meet."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from unmeta.kb.model import Clue, Needs, Shown, Symptom, Wording, inside


def test_a_clue_has_exactly_one_key() -> None:
    assert Clue(through="torch.nn.modules.module:Module.to").value == ["torch.nn.modules.module:Module.to"]
    for wrong in ({}, {"ask": "Why?", "says": "x"}):
        with pytest.raises(ValidationError, match="exactly one key"):
            Clue.model_validate(wrong)


def test_only_a_function_is_unseen() -> None:
    assert Clue(through="a:b", unseen="No GPU here.").key == "through"
    with pytest.raises(ValidationError, match="stands with `through`"):
        Clue(says="x", unseen="No GPU here.")


def test_a_function_is_written_with_its_module() -> None:
    with pytest.raises(ValidationError, match=r"package\.module:Qual\.name"):
        Clue(through="Module.to")


def test_a_symptom_that_tells_with_needs_clues() -> None:
    with pytest.raises(ValidationError, match="clues"):
        Shown(id="no-data-to-copy", tells="with")


def test_needs_are_flat_in_yaml() -> None:
    needs = Needs.model_validate({"peft": ">=0.10", "device": "cuda", "processes": 2})
    assert needs.packages == {"peft": ">=0.10"}
    assert (needs.device, needs.processes) == ("cuda", 2)


def test_the_narrower_need_wins() -> None:
    merged = Needs(packages={"peft": ">=0.5", "torch": ">=2"}).merged(Needs(packages={"peft": ">=0.10"}))
    assert merged.packages == {"peft": ">=0.10", "torch": ">=2"}


@pytest.mark.parametrize("wrong", [{"pefft": ">=0.10"}, {"peft": "new"}, {"processes": 0}])
def test_wrong_needs_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Needs.model_validate(wrong)


def test_a_wording_may_be_plain_text() -> None:
    assert Wording.model_validate("no data").text == "no data"


def test_a_silent_symptom_has_no_message() -> None:
    Symptom(id="x", title="x", kind="silent", looks_like="numbers differ")
    with pytest.raises(ValidationError, match="looks_like"):
        Symptom(id="x", title="x", kind="silent")
    with pytest.raises(ValidationError, match="near_misses"):
        Symptom(id="x", title="x", kind="log", messages={"a": Wording(text="b")})
    with pytest.raises(ValidationError, match="type"):
        Symptom(id="x", title="x", kind="warning", messages={"a": Wording(text="b")}, near_misses=["c"])


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [({}, True), ({"torch": ">=2.1"}, True), ({"torch": "<2"}, False), ({"peft": ">=0.1"}, False)],
)
def test_inside(ranges: dict[str, str], expected: bool) -> None:
    assert inside(ranges, {"torch": "2.13.0", "python": "3.11"}) is expected
