"""Merge a LoRA file into a network before it is offloaded."""

import argparse
import logging

import torch
from accelerate import cpu_offload
from safetensors.torch import load_file, save_file
from torch import nn

log = logging.getLogger("merge")


def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 6)).requires_grad_(False)


def write_lora(path, rank):
    g = torch.Generator().manual_seed(1)
    state = {}
    for name, (n_in, n_out) in {"0": (12, 24), "2": (24, 6)}.items():
        state[f"{name}.lora_A.weight"] = torch.randn(rank, n_in, generator=g)
        state[f"{name}.lora_B.weight"] = torch.randn(n_out, rank, generator=g)
    save_file(state, path)


def merge(net, lora, scale):
    for name in sorted({k.split(".")[0] for k in lora}):
        layer = net.get_submodule(name)
        a, b = lora[f"{name}.lora_A.weight"], lora[f"{name}.lora_B.weight"]
        log.info("layer %s on %s: %s", name, layer.weight.device, tuple(layer.weight.shape))
        layer.weight += scale * (a.T @ b.T)
    return net


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rank", type=int, default=2)
    ap.add_argument("--scale", type=float, default=0.5)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    write_lora("style.safetensors", args.rank)
    net = merge(network(), load_file("style.safetensors"), args.scale)
    cpu_offload(net, execution_device=torch.device("cpu"))
    print(net(torch.ones(1, 12)).shape)


if __name__ == "__main__":
    main()
