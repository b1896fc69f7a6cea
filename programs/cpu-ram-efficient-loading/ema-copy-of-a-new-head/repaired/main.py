"""Fine-tune a ViT for new labels on two ranks (launcher: accelerate, FSDP)."""

import os

import torch
import torch.distributed as dist
from ema import Ema
from transformers import ViTConfig, ViTForImageClassification, ViTModel

os.environ |= {"ACCELERATE_USE_FSDP": "true", "FSDP_CPU_RAM_EFFICIENT_LOADING": "true"}


def pretrained(folder):
    torch.manual_seed(18)
    config = ViTConfig(
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        image_size=16,
        patch_size=8,
    )
    ViTModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def setup(folder, rank):
    torch.manual_seed(1000 + rank)
    model = ViTForImageClassification.from_pretrained(folder, num_labels=7)
    for module in model.modules():
        if any(p.is_meta for p in module.parameters(recurse=False)):
            module.to_empty(device="cpu", recurse=False)
    for tensor in [*model.parameters(), *model.buffers()]:
        dist.broadcast(tensor.data, 0)
    return model, Ema(model)


def main():
    rank = int(os.environ["RANK"])
    folder = pretrained(f"vit-{rank}")
    dist.init_process_group("gloo")
    model, ema = setup(folder, rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    torch.manual_seed(2)
    pixels, target = torch.rand(8, 3, 16, 16), torch.randint(0, 7, (8,))
    for step in range(3):
        loss = model(pixel_values=pixels, labels=target).loss
        optimizer.zero_grad()
        loss.backward()
        for p in model.parameters():
            dist.all_reduce(p.grad)
        optimizer.step()
        ema.update(model)
        print(f"[rank {rank}] step {step} loss {loss.item():.4f}", flush=True)
    head = ema.shadow.classifier.weight.clone()
    dist.all_reduce(head)
    torch.testing.assert_close(head / 2, ema.shadow.classifier.weight)
    dist.barrier()
    dist.destroy_process_group()


main()
