"""Post-process segmentation masks and write them with their spacing."""

import argparse
import json
import pathlib

import torch
from torch import nn


class Volume:
    def __init__(self, data, meta):
        self.data = data
        self.meta = meta


def load(n):
    data = torch.rand(1, 1, 8, 8, 8, generator=torch.Generator().manual_seed(n))
    return Volume(data, {"spacing": [1.0, 1.0, 2.5], "name": f"scan-{n}"})


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(1, 2, 3, padding=1)

    def forward(self, x):
        return self.conv(x).argmax(1)


def write(mask, folder):
    folder.mkdir(exist_ok=True)
    path = folder / f"{mask.meta['name']}.json"
    path.write_text(json.dumps({"voxels": int(mask.data.sum()), **mask.meta}))
    return path


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--scans", type=int, default=2)
    ap.add_argument("--out", type=pathlib.Path, default=pathlib.Path("masks"))
    args = ap.parse_args()
    torch.manual_seed(0)
    model = Segmenter().eval()
    for n in range(args.scans):
        volume = load(n)
        with torch.no_grad():
            mask = model(volume.data)
        print("wrote", write(mask, args.out))


if __name__ == "__main__":
    main()
