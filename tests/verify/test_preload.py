"""What is imported ahead, and for whom."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from unmeta.kb.load import Catalogue
from unmeta.verify import preload
from unmeta.verify.preload import GROUPS, MANY, Ahead, wanted


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


def test_no_import_starts_compile_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "asks_for_threads.py").write_text(
        "import os\nseen = os.environ['TORCHINDUCTOR_COMPILE_THREADS']\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("TORCHINDUCTOR_COMPILE_THREADS", raising=False)
    preload._import(Ahead("x", {"asks_for_threads": ()}))
    assert sys.modules.pop("asks_for_threads").seen == "1"
    assert "TORCHINDUCTOR_COMPILE_THREADS" not in os.environ


def test_configuration_that_knows_no_environment_is_told_so_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = SimpleNamespace(compile_threads=4)
    monkeypatch.setitem(sys.modules, "torch._inductor.config", config)
    (tmp_path / "asks_the_configuration.py").write_text(
        "import sys\nseen = sys.modules['torch._inductor.config'].compile_threads\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    preload._import(Ahead("x", {"asks_the_configuration": ()}))
    assert sys.modules.pop("asks_the_configuration").seen == 1
    assert config.compile_threads == 4


def test_what_a_library_does_once_a_process_is_done_behind_its_imports_and_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    monkeypatch.setattr(preload, "_done", set())
    monkeypatch.setattr(preload, "_filters", lambda: done.append("filters"))
    monkeypatch.setattr(preload, "_import", lambda group: done.append(group.words))
    monkeypatch.setattr(preload, "_FIRST", {"torch": lambda: done.append("first of torch")})
    preload.prepare(["torch", "peft"])
    preload.prepare(["torch"])
    assert done == ["filters", GROUPS["torch"].words, "first of torch", GROUPS["peft"].words]


def test_the_patterns_of_all_model_types_are_compiled_ahead() -> None:
    """`transformers.conversion_mapping` keeps them for the process from 5.0 on."""
    mapping = pytest.importorskip("transformers.conversion_mapping")
    preload._first_load()
    before = mapping._checkpoint_conversion_mapping_cache
    assert before
    mapping.get_checkpoint_conversion_mapping("llama")
    assert mapping._checkpoint_conversion_mapping_cache is before


def test_a_library_that_is_absent_or_of_another_release_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "transformers.conversion_mapping", None)
    preload._first_load()
    monkeypatch.setitem(sys.modules, "transformers.conversion_mapping", SimpleNamespace())
    preload._first_load()
