"""What `strict()` raises, what it leaves alone, and that it leaves everything as it was."""

from __future__ import annotations

import os
import threading
import warnings
from pathlib import Path

import pytest
import torch
import transformers
from accelerate import cpu_offload, init_empty_weights
from torch import nn
from torch.optim.optimizer import _global_optimizer_pre_hooks
from transformers import (
    AutoModelForMaskedLM,
    FNetConfig,
    FNetForMaskedLM,
    FNetModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
)

import unmeta
from unmeta.live.strict import LostWriteError, MixedOperandsError, StrictError, UninitialisedError

FIVE = int(transformers.__version__.partition(".")[0]) >= 5
SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}


def half_empty() -> nn.Sequential:
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4, bias=False))
    model.load_state_dict({"0.weight": torch.ones(4, 4), "0.bias": torch.ones(4)}, strict=False, assign=True)
    return model


def test_a_mix_is_raised_with_module_and_tensor() -> None:
    told = r"in module 1 \(Linear\); on meta: 1\.weight"
    with pytest.raises(MixedOperandsError, match=told) as caught, unmeta.strict(), torch.no_grad():
        half_empty()(torch.ones(2, 4))
    assert caught.value.tensors == ("1.weight",)
    assert "mixed-op-returns-garbage" in str(caught.value)


def test_a_lost_write_is_raised() -> None:
    model = half_empty()
    with pytest.raises(LostWriteError), unmeta.strict(), torch.no_grad():
        model[1].weight.copy_(torch.ones(4, 4))
    with pytest.raises(LostWriteError), unmeta.strict():
        nn.init.ones_(model[1].weight)


def test_an_optimizer_that_steps_on_meta_is_raised() -> None:
    with torch.device("meta"):
        model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    with pytest.raises(LostWriteError), unmeta.strict():
        optimizer.step()


def test_memory_that_nobody_wrote_is_raised_before_it_is_used() -> None:
    model = nn.Linear(4, 4, device="meta")
    with pytest.raises(UninitialisedError, match="weight") as caught, unmeta.strict():
        model.to_empty(device="cpu")(torch.ones(1, 4))
    assert caught.value.tensors == ("weight", "bias")


def test_loading_inside_the_fill_tells_what_was_not_loaded() -> None:
    with torch.device("meta"):
        model = nn.Linear(4, 4)
    with unmeta.filled():
        model.to_empty(device="cpu")
    model.load_state_dict({"weight": torch.ones(4, 4)}, strict=False)
    assert unmeta.uninitialised(model) == ("bias",)


def test_ordinary_work_passes(tmp_path: Path) -> None:
    with unmeta.strict():
        model = LlamaForCausalLM(LlamaConfig(vocab_size=128, **SIZES))
        model.save_pretrained(tmp_path)
        model = LlamaForCausalLM.from_pretrained(tmp_path)
        ids = torch.arange(8)[None]
        model(ids, labels=ids).loss.backward()
        torch.optim.AdamW(model.parameters()).step()
        model.generate(ids, max_new_tokens=2, do_sample=False)
        cpu_offload(model, execution_device=torch.device("cpu"))
        model(ids)


def test_building_on_meta_passes() -> None:
    with unmeta.strict():
        with torch.device("meta"):
            LlamaForCausalLM(LlamaConfig(vocab_size=128, **SIZES))
        with init_empty_weights():
            LlamaForCausalLM(LlamaConfig(vocab_size=128, **SIZES))


def test_numbers_among_meta_tensors_pass() -> None:
    with unmeta.strict():
        assert (torch.ones(2, device="meta") * torch.tensor(2.0)).is_meta


def test_everything_is_put_back_also_after_an_error() -> None:
    before = state()
    with pytest.raises(StrictError), unmeta.strict(), unmeta.strict(), torch.no_grad():
        half_empty()(torch.ones(2, 4))
    assert state() == before
    assert half_empty()(torch.ones(2, 4)).shape == (2, 4)


def test_threads_that_overlap_put_everything_back() -> None:
    before = state()
    inside, left = threading.Event(), threading.Event()

    def other() -> None:
        with unmeta.strict():
            inside.set()
            assert left.wait(10)

    thread = threading.Thread(target=other)
    with unmeta.strict():
        thread.start()
        assert inside.wait(10)
    assert torch.are_deterministic_algorithms_enabled()
    left.set()
    thread.join(10)
    assert state() == before


def state() -> tuple[object, ...]:
    return (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        getattr(torch.utils, "deterministic", None) and torch.utils.deterministic.fill_uninitialized_memory,
        os.environ.get("HF_DEACTIVATE_ASYNC_LOAD"),
        list(warnings.filters),
        len(torch.nn.modules.module._global_forward_pre_hooks),
        len(torch.nn.modules.module._global_forward_hooks),
        torch.save,
        torch.nn.Module.load_state_dict,
        len(_global_optimizer_pre_hooks),
    )


def test_a_load_that_leaves_memory_unwritten_is_raised_at_the_end() -> None:
    model = nn.Linear(4, 4, device="meta")
    with pytest.raises(UninitialisedError, match="is left with memory that nobody initialised: bias"):  # noqa: SIM117
        with unmeta.strict():
            model.to_empty(device="cpu").load_state_dict({"weight": torch.ones(4, 4)}, strict=False)


def test_a_load_in_parts_is_looked_at_when_it_is_over() -> None:
    model = nn.Linear(4, 4, device="meta")
    with unmeta.strict():
        model.load_state_dict({"weight": torch.ones(4, 4)}, strict=False, assign=True)
        model.load_state_dict({"bias": torch.ones(4)}, strict=False, assign=True)
        model(torch.ones(1, 4))


def test_a_checkpoint_of_meta_tensors_is_raised_where_it_is_loaded() -> None:
    model, empty = nn.Linear(2, 2), nn.Linear(2, 2, device="meta")
    with pytest.raises(LostWriteError, match="in the place of bias, weight") as caught, unmeta.strict():
        model.load_state_dict(empty.state_dict(), assign=True)
    assert caught.value.cause == "meta-state-dict-into-real-module"


def test_a_load_into_an_offloaded_model_is_raised() -> None:
    model = nn.Sequential(nn.Linear(2, 2))
    state = {name: value.clone() for name, value in model.state_dict().items()}
    cpu_offload(model, execution_device=torch.device("cpu"))
    with pytest.raises(LostWriteError, match="offload hook replaces"), unmeta.strict():
        model.load_state_dict(state, assign=True)


@pytest.mark.skipif(not FIVE, reason="transformers 4 initialises this one")
def test_a_library_that_leaves_a_parameter_unwritten_is_raised_by_from_pretrained(tmp_path: Path) -> None:
    config = FNetConfig(vocab_size=32, hidden_size=16, intermediate_size=16, num_hidden_layers=1)
    FNetModel(config).save_pretrained(tmp_path)
    before = vars(PreTrainedModel)["from_pretrained"]
    for loader in (FNetForMaskedLM, AutoModelForMaskedLM):
        with pytest.raises(UninitialisedError, match=r"cls\.predictions\.bias"), unmeta.strict():
            loader.from_pretrained(tmp_path)
    assert vars(PreTrainedModel)["from_pretrained"] is before


def test_a_file_without_data_is_raised_before_it_is_written(tmp_path: Path) -> None:
    model = nn.Linear(2, 2, device="meta")
    with pytest.raises(LostWriteError, match="writes no data for weight, bias"), unmeta.strict():
        torch.save({"model": model.state_dict()}, tmp_path / "model.pt")
    assert not (tmp_path / "model.pt").exists()
    torch.save(model.state_dict(), tmp_path / "model.pt")


def test_training_that_changes_nothing_is_raised_at_the_step() -> None:
    model = nn.Linear(2, 2, device="meta")
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    model.load_state_dict(nn.Linear(2, 2).state_dict(), assign=True)
    model(torch.ones(1, 2)).sum().backward()
    with pytest.raises(LostWriteError, match="would change nothing: 2 of its parameters"), unmeta.strict():
        optimizer.step()
    optimizer.step()


def test_functions_that_loads_left_replaced_are_raised_at_the_end() -> None:
    manager = init_empty_weights()
    with pytest.raises(StrictError, match="register_parameter replaced") as caught, unmeta.strict():
        manager.__enter__()
    manager.__exit__(None, None, None)
    assert caught.value.cause == "overlapping-empty-init"
    with init_empty_weights(), unmeta.strict():
        nn.Linear(2, 2)
