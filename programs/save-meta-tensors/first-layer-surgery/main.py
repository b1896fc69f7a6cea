"""Cut the encoder out of an autoencoder checkpoint: surgery.py SOURCE TARGET"""

import os
import sys

import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, 8))
        self.decoder = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, width))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def example(path):
    torch.manual_seed(16)
    model = Autoencoder()
    torch.save(model.state_dict(), path)
    return model


def encoder_of(source):
    """No forward pass is needed, so the model takes no memory."""
    with torch.device("meta"):
        model = Autoencoder()
    names = torch.load(source, map_location="cpu").keys()
    if names != model.state_dict().keys():
        sys.exit(f"{source} is not an autoencoder")
    return model.encoder.state_dict()


def report(path):
    tensors = torch.load(path, map_location="cpu")
    print(f"{path}: {len(tensors)} tensors, {os.path.getsize(path)} bytes")
    for name, tensor in tensors.items():
        print(f"  {name:10s} {tuple(tensor.shape)!s:10s} {tensor.device}")
    return tensors


def main(source="autoencoder.pt", target="encoder.pt"):
    whole = example(source)
    torch.save(encoder_of(source), target)
    tensors = report(target)
    content = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
    if os.path.getsize(target) < content:
        sys.exit(f"{target} is smaller than its {content} bytes of weights")
    assert all(torch.equal(tensor, whole.encoder.state_dict()[name]) for name, tensor in tensors.items())


if __name__ == "__main__":
    main(*sys.argv[1:])
