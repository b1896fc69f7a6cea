"""Export a language model in 4-bit groups: main.py --group 8 --out packed.pt"""

import argparse
import logging

import torch
from torch import nn
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

log = logging.getLogger("int4")


def source(folder):
    torch.manual_seed(31)
    config = LlamaConfig(
        vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=4, num_attention_heads=4
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def load(folder):
    return AutoModelForCausalLM.from_pretrained(folder, device_map="cpu")


class GroupPacker:
    def __init__(self, group):
        self.group, self.packed = group, {}

    def pack(self, name, layer):
        weight = layer.weight.detach().float().view(-1, self.group)
        low, high = weight.amin(1, keepdim=True), weight.amax(1, keepdim=True)
        scale = (high - low).clamp(min=1e-8) / 15
        self.packed[name] = (((weight - low) / scale).round().to(torch.uint8).numpy(), scale, low)

    def run(self, model):
        for name, module in model.named_modules():
            if isinstance(module, nn.Linear):
                log.debug("packing %s", name)
                self.pack(name, module)
        return self.packed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--group", type=int, default=8)
    parser.add_argument("--out", default="packed.pt")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    model = load(source("llama-src"))
    packed = GroupPacker(args.group).run(model)
    torch.save({name: scale for name, (_, scale, _) in packed.items()}, args.out)
    log.info("packed %d layers", len(packed))
    assert len(packed) == 29 and all(values.max() == 15 for values, *_ in packed.values())


if __name__ == "__main__":
    main()
