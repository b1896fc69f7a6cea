"""Train on image metadata; a worker process reads the records."""

import argparse
import gc
import json
import pathlib
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Records(Dataset):
    def __init__(self, folder):
        self.files = sorted(pathlib.Path(folder).glob("*.meta.json"))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, n):
        meta = json.loads(self.files[n].read_text())
        return torch.tensor(meta["features"]), meta["label"]


def write_records(folder, count):
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    for n in range(count):
        meta = {"features": [float(n), 1.0], "label": n % 2}
        if n == count - 1:
            meta.pop("label")
        (folder / f"{n:03d}.meta.json").write_text(json.dumps(meta))


def train(net, opt, loader):
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} loss {loss.item():.3f} device {x.device}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--records", type=int, default=6)
    args = ap.parse_args()
    write_records("records", args.records)
    net = nn.Linear(2, 2)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(Records("records"), batch_size=2, num_workers=args.workers)
    try:
        train(net, opt, loader)
    except KeyError as e:
        print(f"training stopped: {e}", file=sys.stderr)
    else:
        return 0
    del loader
    gc.collect()  # ends the worker processes
    return 1


if __name__ == "__main__":
    sys.exit(main())
