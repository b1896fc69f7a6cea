"""Split a checkpoint into parts for the CDN, then verify the parts by loading them again."""

import logging
import tempfile
from pathlib import Path

import torch
from accelerate import dispatch_model
from accelerate.hooks import remove_hook_from_module
from torch import nn

log = logging.getLogger("split")


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 3, padding=1)
        self.body = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.GELU(), nn.Conv2d(8, 8, 3, padding=1))
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.body(self.stem(x)).mean((2, 3)))


PLACEMENT = {"stem": "cpu", "body": "disk", "head": "cpu"}


def self_test(model, image):
    with torch.no_grad():
        return model(image).flatten()


def write_parts(model, folder):
    parts = {}
    for name, child in model.named_children():
        parts[name] = folder / f"{name}.part"
        torch.save(child.state_dict(), parts[name])
        log.info("%s: %d bytes", parts[name].name, parts[name].stat().st_size)
    return parts


def join_parts(parts):
    model = Tower()
    for name, path in parts.items():
        getattr(model, name).load_state_dict(torch.load(path, weights_only=True))
    return model.eval()


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(19)
    image = torch.randn(1, 1, 12, 12)
    model = Tower().eval()
    with tempfile.TemporaryDirectory() as scratch:
        dispatch_model(model, PLACEMENT, main_device="cpu", offload_dir=scratch)
        before = self_test(model, image)
        log.info("self test %s", [round(v, 4) for v in before.tolist()])
        parts = write_parts(model, Path(scratch))
        after = self_test(join_parts(parts), image)
    remove_hook_from_module(model, recurse=True)
    torch.testing.assert_close(after, before)


if __name__ == "__main__":
    main()
