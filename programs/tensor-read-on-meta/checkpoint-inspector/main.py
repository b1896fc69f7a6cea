"""inspect.py FILE: list the tensors of a checkpoint and describe those that match --stats"""

import argparse
import fnmatch

import torch
from torch import nn


def example(path):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(20, 8), nn.LSTM(8, 8), nn.Linear(8, 3))
    torch.save(model.state_dict(), path)
    return model


class Checkpoint:
    def __init__(self, path):
        self.path = path
        self.tensors = torch.load(path, map_location="meta", weights_only=True)

    def __iter__(self):
        for name, tensor in self.tensors.items():
            yield name, tuple(tensor.shape), str(tensor.dtype).removeprefix("torch.")

    def bytes(self):
        return sum(t.numel() * t.element_size() for t in self.tensors.values())

    def stats(self, pattern):
        for name in fnmatch.filter(self.tensors, pattern):
            values = self.tensors[name].float().cpu().flatten()
            yield name, values.min().item(), values.max().item(), values.std().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", default="tagger.pt")
    parser.add_argument("--stats", default="2.*")
    args = parser.parse_args()
    model = example(args.file)
    checkpoint = Checkpoint(args.file)
    for name, shape, dtype in checkpoint:
        print(f"{name:20s} {dtype:10s} {shape}")
    print(f"total {checkpoint.bytes()} bytes")
    for name, low, high, std in checkpoint.stats(args.stats):
        print(f"{name:20s} {low:+.3f} .. {high:+.3f}  std {std:.3f}")
        assert abs(high - model.state_dict()[name].max().item()) < 1e-6


if __name__ == "__main__":
    main()
