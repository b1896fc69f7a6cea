"""Extract a LoRA from the difference of two models (SVD)."""

import argparse
import logging
import time

import torch
from accelerate import cpu_offload
from safetensors.torch import save_file
from torch import nn

log = logging.getLogger("extract")


def network(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 16)).requires_grad_(False)


def tune(base, rank):
    g = torch.Generator().manual_seed(8)
    tuned = network(0)
    tuned.load_state_dict(base.state_dict())
    for layer in (tuned[0], tuned[2]):
        n_out, n_in = layer.weight.shape
        layer.weight += torch.randn(n_out, rank, generator=g) @ torch.randn(rank, n_in, generator=g) * 0.1
    return tuned


def weight_of(layer, device):
    return layer.weight.to(device, torch.float32)


def extract(base, tuned, rank, device):
    lora = {}
    for name, layer in tuned.named_modules():
        if not isinstance(layer, nn.Linear):
            continue
        start = time.perf_counter()
        delta = weight_of(layer, device) - weight_of(base.get_submodule(name), device)
        u, s, v = torch.linalg.svd(delta, full_matrices=False)
        lora[f"lora_up.{name}"] = (u[:, :rank] * s[:rank]).contiguous()
        lora[f"lora_down.{name}"] = v[:rank].contiguous()
        kept, took = 100 * s[:rank].sum() / s.sum(), time.perf_counter() - start
        log.info("%s: kept %.1f %%, %.3f s", name, kept, took)
    return lora


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rank", type=int, default=2)
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    base = network(1)
    tuned = tune(base, args.rank)
    cpu_offload(base, execution_device=torch.device(args.device))
    lora = extract(base, tuned, args.rank, args.device)
    save_file(lora, "lora.safetensors")
    rebuilt = network(1)[0].weight + lora["lora_up.0"] @ lora["lora_down.0"]
    assert torch.allclose(rebuilt, tuned[0].weight, atol=1e-4)


if __name__ == "__main__":
    main()
