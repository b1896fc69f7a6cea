"""Pack the linear layers of a model to int8, one file for all."""

import argparse
import logging

import torch
from torch import nn
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

log = logging.getLogger("pack")
SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2}


def source(path):
    torch.manual_seed(11)
    model = LlamaForCausalLM(LlamaConfig(vocab_size=60, num_hidden_layers=3, **SIZES))
    model.save_pretrained(path)
    return model


def load(path):
    return AutoModelForCausalLM.from_pretrained(path)


@torch.no_grad()
def quantise(weight):
    scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
    return {"q": (weight / scale).round().to(torch.int8).cpu(), "scale": scale.cpu()}


def pack(model, skip=("lm_head",)):
    packed = {}
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear) and name not in skip:
            packed[name] = quantise(module.weight)
            log.info("%-32s %s", name, tuple(packed[name]["q"].shape))
    return packed


if __name__ == "__main__":
    cli = argparse.ArgumentParser(description=__doc__)
    cli.add_argument("--source", default="llama-fp32")
    cli.add_argument("--out", default="llama-int8.pt")
    args = cli.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    original = source(args.source)
    torch.save(pack(load(args.source)), args.out)
    for name, part in torch.load(args.out).items():
        weight = original.get_submodule(name).weight
        assert (part["q"] * part["scale"] - weight).abs().max() <= part["scale"].max()
