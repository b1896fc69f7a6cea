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
    model = AutoModelForCausalLM.from_pretrained(base)
    model = dispatch_model(model, MAP, offload_dir=folder)
    places = {PREFIX + name: place for name, place in MAP.items()}
    return PeftModel.from_pretrained(model, adapter, device_map=places, low_cpu_mem_usage=True).eval()
