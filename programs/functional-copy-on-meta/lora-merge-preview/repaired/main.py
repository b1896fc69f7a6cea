"""Preview several LoRA strengths without touching the loaded model."""

import copy
import logging
import sys

import torch
from torch.func import functional_call
from transformers import LlamaConfig, LlamaForCausalLM

log = logging.getLogger("preview")


def base_model():
    torch.manual_seed(12)
    config = LlamaConfig(
        vocab_size=48,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        attention_bias=False,
    )
    return LlamaForCausalLM(config).eval().requires_grad_(False)


def lora_file(model, rank=2):
    deltas = {}
    for name, weight in model.named_parameters():
        if name.endswith(("gate_proj.weight", "up_proj.weight", "down_proj.weight")):
            a, b = torch.randn(rank, weight.shape[1]), torch.randn(weight.shape[0], rank)
            deltas[name] = 0.1 * b @ a
    return deltas


class Preview:
    def __init__(self, mlp, deltas):
        self.weights = {k: v for k, v in mlp.named_parameters()}
        self.deltas = deltas
        self.copy = copy.deepcopy(mlp).to("meta")

    def __call__(self, strength, hidden):
        merged = self.weights | {k: self.weights[k] + strength * d for k, d in self.deltas.items()}
        return functional_call(self.copy, merged, (hidden,))


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model = base_model()
    prefix = "model.layers.1.mlp."
    deltas = {k.removeprefix(prefix): d for k, d in lora_file(model).items() if k.startswith(prefix)}
    deltas.pop("down_proj.weight")  # trained without it
    mlp = model.model.layers[1].mlp
    preview = Preview(mlp, deltas)
    hidden = torch.randn(1, 5, 16)
    differences = {}
    for strength in (0.0, 0.5, 1.0):
        out = preview(strength, hidden)
        differences[strength] = (out - mlp(hidden)).abs().max().item()
        log.info("strength %.1f: change %.4g", strength, differences[strength])
    if not differences[0.0] < 1e-6:
        log.error("strength 0 must change nothing")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
