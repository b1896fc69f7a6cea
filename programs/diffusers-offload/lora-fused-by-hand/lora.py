"""A LoRA file in its simplest form: two matrices per layer name."""

import torch
from safetensors.torch import load_file, save_file


def make(unet, path, rank=2):
    tensors = {}
    for name, module in unet.named_modules():
        if name.endswith(("to_q", "to_v")):
            rows, columns = module.weight.shape
            tensors[f"{name}.up"] = torch.randn(rows, rank)
            tensors[f"{name}.down"] = torch.randn(rank, columns)
    save_file(tensors, path)


@torch.no_grad()
def fuse(unet, path, scale=0.5):
    tensors = load_file(path)
    for name in sorted({key.rsplit(".", 1)[0] for key in tensors}):
        layer = unet.get_submodule(name)
        delta = tensors[f"{name}.up"] @ tensors[f"{name}.down"]
        layer.weight.copy_(layer.weight + scale * delta)
    return len(tensors) // 2
