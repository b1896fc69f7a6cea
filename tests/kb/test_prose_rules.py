"""Where the prose rules draw their lines: claims about all cases, and instructions."""

from __future__ import annotations

import pytest

from unmeta.kb.prose import EVERYTHING, instructs, sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "It works for every model.",
        "Raised for any model whose map has two entries.",
        "All releases print it.",
        "It is accepted on every older release.",
        "Works for any module and version.",
        "The folder is always written.",
        "The guard never runs a hook.",
        "transformers 4.51 builds every model empty.",
        "It is printed everywhere.",
        "All of the loaders do so.",
    ],
)
def test_a_claim_about_all_cases(sentence: str) -> None:
    assert EVERYTHING.search(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "All weights are in CPU memory at once.",
        "The LoRA weights never got values.",
        "The weight was never loaded.",
        "A weight that never leaves the device keeps its state.",
        "`nonzero()` and `if` all call one kernel.",
        "Allocated and never set.",
        "It lists every parameter that is on meta.",
    ],
)
def test_a_statement_about_one_program(sentence: str) -> None:
    assert not EVERYTHING.search(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Drop the `.to()`, or load without a map.",
        "If the model fits on one device, load it whole.",
        "Where nothing else helps: restart the process.",
        "The weights are offloaded, so read them through the hook.",
        "The notice is printed by accelerate; ignore it.",
        "Do not move it.",
        "Give every model a folder of its own.",
    ],
)
def test_an_instruction(sentence: str) -> None:
    assert instructs(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The model was moved.",
        "They load a model and then call `.to()` on it.",
        "The file or offload folder does not fit.",
        "`to_empty()` gave it storage and put nothing into it.",
        "Two functions keep the device.",
        "Nothing can be copied, so the call fails.",
    ],
)
def test_no_instruction(sentence: str) -> None:
    assert not instructs(sentence)


def test_sentences_keep_their_code_and_versions() -> None:
    text = "Use `a. B` since torch 2.3. Then\n`load()` it! (Or not.) [[fact]] shows it."
    assert sentences(text) == [
        "Use `a. B` since torch 2.3.",
        "Then `load()` it!",
        "(Or not.)",
        "[[fact]] shows it.",
    ]
