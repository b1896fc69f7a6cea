"""Fine-tune an image classifier with Accelerate."""

import os
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from options import loading
from torch.utils.data import DataLoader, TensorDataset
from transformers import ViTConfig, ViTForImageClassification


def pretrained(path):
    set_seed(112)
    config = ViTConfig(
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        image_size=8,
        patch_size=4,
        num_labels=4,
    )
    ViTForImageClassification(config).save_pretrained(path)


def main():
    path = Path(f"vit-{os.environ['RANK']}")
    pretrained(path)
    accelerator = Accelerator(cpu=True)
    options = loading(ViTForImageClassification, training=True)
    model = ViTForImageClassification.from_pretrained(path, **options)
    data = TensorDataset(torch.rand(32, 3, 8, 8), torch.randint(0, 4, (32,)))
    loader = DataLoader(data, batch_size=8)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for pixels, labels in loader:
        loss = model(pixel_values=pixels, labels=labels).loss
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        accelerator.print(f"loss {loss.item():.4f}", flush=True)
    accelerator.wait_for_everyone()
    accelerator.end_training()


if __name__ == "__main__":
    main()
