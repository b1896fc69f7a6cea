"""What is imported ahead, and for whom."""

from __future__ import annotations

import pytest

from unmeta.kb.load import Catalogue
from unmeta.verify.preload import GROUPS, MANY, wanted


@pytest.mark.parametrize(
    ("texts", "groups"),
    [
        ([], ()),
        (["print(1)"], ()),
        (["import torch"], ("torch",)),
        (["import torch", "from peft import PeftModel"], ("torch", "transformers", "peft")),
        (["import torch\n\ntorch.compile(f)"], ("torch", "compile")),
        (["print(1)"] * MANY, ("transformers", "deepspeed")),
    ],
)
def test_groups_are_those_that_the_scripts_ask_for(texts: list[str], groups: tuple[str, ...]) -> None:
    assert wanted(texts) == groups


def test_the_catalogue_asks_for_all_of_them(catalogue: Catalogue) -> None:
    assert set(wanted(snippet.text for snippet in catalogue.snippets.values())) == set(GROUPS)
