"""The recipes of the guide are run as they stand, on the models that the pages name."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
MODELS = ("llama", "tied", "sharded", "gpt2")


def blocks(root: Path, page: str) -> list[str]:
    return BLOCK.findall((root / "docs" / "guide" / f"{page}.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one checkpoint for each of MODELS."""
    import torch
    from transformers import AutoModelForCausalLM, GPT2Config, LlamaConfig

    folder = tmp_path_factory.mktemp("checkpoints")
    torch.manual_seed(0)
    llama = LlamaConfig(vocab_size=128, **SIZES)
    tied = LlamaConfig(vocab_size=128, tie_word_embeddings=True, **SIZES)
    gpt2 = GPT2Config(
        vocab_size=128, n_embd=32, n_layer=2, n_head=4, n_positions=64, bos_token_id=1, eos_token_id=1
    )
    for name, config in zip(MODELS, (llama, tied, llama, gpt2), strict=True):
        model = AutoModelForCausalLM.from_config(config)
        model.save_pretrained(folder / name, max_shard_size="20KB" if name == "sharded" else "5GB")
    assert len(list((folder / "sharded").glob("*.safetensors"))) == 7
    return folder


def logits(model: Any) -> Any:
    import torch

    with torch.no_grad():
        return model(torch.arange(8)[None]).logits


@pytest.fixture
def deterministic() -> Iterator[None]:
    """Undo what a block switches on."""
    import torch

    yield
    torch.use_deterministic_algorithms(False)


@pytest.mark.parametrize("name", MODELS)
def test_materialise_equals_from_pretrained(root: Path, checkpoints: Path, name: str) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    whole, *_, accelerate = blocks(root, "materialise")
    path = str(checkpoints / name)
    space: dict[str, Any] = {"path": path}
    expected = logits(AutoModelForCausalLM.from_pretrained(path))
    exec(compile(whole, "materialise.md", "exec"), space)
    assert torch.equal(logits(space["model"]), expected)
    exec(compile(accelerate, "materialise.md", "exec"), space)
    assert torch.equal(logits(space["model"]), expected)


@pytest.mark.usefixtures("deterministic")
def test_new_layers_and_the_check_for_unwritten_memory(root: Path, checkpoints: Path) -> None:
    """The check finds what `to_empty()` left, and new layers get values while loaded ones stay."""
    import torch
    from safetensors.torch import load_file
    from transformers import AutoConfig, AutoModelForCausalLM

    _, new_layers, switch, unwritten, _ = blocks(root, "materialise")
    config = AutoConfig.from_pretrained(checkpoints / "llama")
    config.num_hidden_layers = 3
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    stored = load_file(checkpoints / "llama" / "model.safetensors")
    model.load_state_dict(stored, strict=False, assign=True)
    space: dict[str, Any] = {"torch": torch, "model": model}
    exec(compile(switch, "materialise.md", "exec"), space)
    exec(compile(new_layers, "materialise.md", "exec"), space)
    assert not any(parameter.is_meta for parameter in model.parameters())
    assert all(torch.equal(model.state_dict()[name], value) for name, value in stored.items())
    assert model.model.layers[2].mlp.up_proj.weight.std() > 0.01
    model.model.rotary_emb.to_empty(device="cpu")
    with pytest.raises(AssertionError, match="inv_freq"):
        exec(compile(unwritten, "materialise.md", "exec"), space)


TWO_RANKS = """
import sys
import torch
import torch.distributed as dist
from transformers import AutoModelForCausalLM

dist.init_process_group("gloo")
recipe = compile(open("recipe.py", encoding="utf-8").read(), "distributed.md", "exec")
tokens = torch.arange(8)[None]
for path in sys.argv[1:]:
    space = {"path": path, "device": torch.device("cpu")}
    exec(recipe, space)
    model, optimizer = space["model"], space["optimizer"]
    assert not any(t.is_meta for t in [*model.parameters(), *model.buffers()])
    expected = AutoModelForCausalLM.from_pretrained(path)(tokens).logits
    assert torch.allclose(model(tokens).logits, expected, atol=1e-5), path
    first = model(tokens, labels=tokens).loss
    first.backward()
    optimizer.step()
    assert model(tokens, labels=tokens).loss < first, path
dist.destroy_process_group()
"""


def test_distributed_on_two_ranks(root: Path, checkpoints: Path, tmp_path: Path) -> None:
    (recipe,) = blocks(root, "distributed")
    (tmp_path / "recipe.py").write_text(recipe, encoding="utf-8")
    (tmp_path / "two_ranks.py").write_text(TWO_RANKS, encoding="utf-8")
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    paths = [str(checkpoints / name) for name in ("sharded", "tied")]
    told = subprocess.run(
        [*launch, "two_ranks.py", *paths],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stderr[-3000:]


@pytest.mark.parametrize("name", MODELS)
def test_the_questions_recipe_equals_from_pretrained(
    root: Path, checkpoints: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The way for a model of one's own, with a transformers class in the place of `MyModel`."""
    import torch
    from accelerate import init_empty_weights, load_checkpoint_and_dispatch
    from transformers import AutoConfig, AutoModelForCausalLM

    (recipe,) = blocks(root, "faq")
    path = checkpoints / name
    monkeypatch.chdir(tmp_path)
    (tmp_path / "checkpoint").symlink_to(path)
    space: dict[str, Any] = {
        "init_empty_weights": init_empty_weights,
        "load_checkpoint_and_dispatch": load_checkpoint_and_dispatch,
        "MyModel": AutoModelForCausalLM.from_config,
        "config": AutoConfig.from_pretrained(path),
    }
    exec(compile(recipe, "faq.md", "exec"), space)
    assert torch.equal(logits(space["model"]), logits(AutoModelForCausalLM.from_pretrained(path)))


def test_the_diagnosis_tells_the_map_and_what_is_on_meta(
    root: Path, checkpoints: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from transformers import AutoConfig, AutoModelForCausalLM

    (diagnosis,) = blocks(root, "choose-a-fix")
    device_map = {"model": "cpu", "lm_head": "disk"}
    offloaded = AutoModelForCausalLM.from_pretrained(checkpoints / "llama", device_map=device_map)
    code = compile(diagnosis, "choose-a-fix.md", "exec")
    exec(code, {"model": offloaded})
    assert capsys.readouterr().out.splitlines()[-2:] == [str(device_map), "['lm_head.weight']"]
    whole = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(checkpoints / "llama"))
    whole.model.rotary_emb.to("meta")
    exec(code, {"model": whole})
    on_meta = "['model.rotary_emb.inv_freq', 'model.rotary_emb.original_inv_freq']"
    assert capsys.readouterr().out.splitlines() == ["None", on_meta]


def test_pages_whose_code_nobody_runs_have_none(root: Path) -> None:
    """A page with a block of code stands in this file."""
    assert not blocks(root, "never")
