"""The plan of `fits` is accelerate's own."""

from __future__ import annotations

import json

import pytest
import torch
from accelerate import infer_auto_device_map
from transformers import LlamaConfig, LlamaForCausalLM, T5Config

import unmeta
from unmeta.live.fits import DoesNotFitError

CONFIG = LlamaConfig(
    hidden_size=64, intermediate_size=128, num_hidden_layers=6, num_attention_heads=4, vocab_size=256
)


def test_what_fits_is_true_and_allocates_nothing() -> None:
    fit = unmeta.fits(CONFIG)
    assert fit
    assert fit.raise_if_offloaded() is fit
    real = LlamaForCausalLM(CONFIG)
    own = sum(t.numel() * t.element_size() for t in (*real.parameters(), *real.buffers()))
    assert fit.total == own


def test_the_plan_and_its_numbers_are_those_of_accelerate() -> None:
    room = {"cpu": 600_000}
    fit = unmeta.fits(CONFIG, max_memory=room)
    with torch.device("meta"):
        model = LlamaForCausalLM(CONFIG)
    plan = infer_auto_device_map(
        model, max_memory=dict(room), no_split_module_classes=list(model._no_split_modules)
    )
    assert fit.device_map == plan
    assert sum(fit.sizes.values()) == fit.total
    assert fit.missing == fit.sizes["disk"]
    assert not fit
    assert fit.smaller == "bfloat16"
    with pytest.raises(DoesNotFitError, match="does not fit by"):
        fit.raise_if_offloaded()


def test_a_map_of_the_readers_is_taken_as_it_is() -> None:
    fit = unmeta.fits(CONFIG, device_map={"model": "cpu", "lm_head": "disk"})
    assert fit.offloaded == ("lm_head",)
    assert fit.missing == 64 * 256 * 4


def test_a_type_halves_the_size() -> None:
    assert unmeta.fits(CONFIG, dtype="bfloat16").total < unmeta.fits(CONFIG).total * 0.6


def test_other_configs_and_forms() -> None:
    fit = unmeta.fits(T5Config(d_model=32, d_ff=32, num_layers=1, vocab_size=128))
    assert json.loads(json.dumps(fit.to_dict()))["ok"] is True
    assert str(fit).startswith("fits: ")


@pytest.mark.parametrize("wrong", ["llama", {"hidden_size": 3}, 5])
def test_what_is_no_model_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match="fits"):
        unmeta.fits(wrong)


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(TypeError, match="float3"):
        unmeta.fits(CONFIG, dtype="float3")
