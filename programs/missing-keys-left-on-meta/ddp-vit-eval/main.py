"""Evaluate a distributed training checkpoint on a validation split."""

import argparse
from collections import OrderedDict

import torch
from accelerate import init_empty_weights
from torch.utils.data import DataLoader, TensorDataset
from transformers import ViTConfig, ViTForImageClassification


def config():
    return ViTConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        image_size=16,
        patch_size=4,
        num_labels=6,
    )


def train_job_output(path):
    """What the training cluster left: state of the DistributedDataParallel wrapper."""
    torch.manual_seed(12)
    model = ViTForImageClassification(config()).eval()
    state = OrderedDict((f"module.{k}", v) for k, v in model.state_dict().items())
    torch.save({"epoch": 29, "model": state}, path)
    return model


def load_model(path, device):
    with init_empty_weights():
        model = ViTForImageClassification(config())
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    print("=> loaded checkpoint", path, "(epoch", checkpoint["epoch"], end=")\n")
    status = model.load_state_dict(checkpoint["model"], strict=False, assign=True)
    print(status)
    return model.to(device).eval()


@torch.no_grad()
def accuracy(model, loader, device):
    hits = total = 0
    for pixels, labels in loader:
        pred = model(pixels.to(device)).logits.argmax(-1).cpu()
        hits += (pred == labels).sum().item()
        total += len(labels)
    return hits / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--resume", default="checkpoint-29.pth")
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    trained = train_job_output(args.resume)
    pixels = torch.randn(24, 3, 16, 16, generator=torch.Generator().manual_seed(0))
    labels = trained(pixels).logits.argmax(-1)
    model = load_model(args.resume, args.device)
    acc = accuracy(model, DataLoader(TensorDataset(pixels, labels), batch_size=8), args.device)
    print(f"* Acc@1 {100 * acc:.2f}")
    assert acc == 1.0


if __name__ == "__main__":
    main()
