"""Builds the chat model."""

from accelerate import dispatch_model
from peft import PeftModel
from transformers import AutoModelForCausalLM

MAP = {
    "model.embed_tokens": "cpu",
    "model.layers.0": "cpu",
    "model.layers.1": "disk",
    "model.norm": "cpu",
    "model.rotary_emb": "cpu",
    "lm_head": "cpu",
}
PREFIX = "base_model.model."


def build(base, adapter, folder):
    model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base), adapter).eval()
    return dispatch_model(model, {PREFIX + name: place for name, place in MAP.items()}, offload_dir=folder)
