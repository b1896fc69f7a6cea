"""Read a checkpoint onto the meta device."""

from pathlib import Path

import torch

torch.save({"weight": torch.ones(4, 2, dtype=torch.float16)}, "state.pt")
state = torch.load("state.pt", map_location="meta")

assert state["weight"].is_meta
assert state["weight"].shape == (4, 2)
assert state["weight"].dtype is torch.float16


def bytes_read():
    return int(Path("/proc/self/io").read_text().split()[1])


torch.save({"weight": torch.ones(4096, 1024)}, "large.pt")
before = bytes_read()
torch.load("large.pt", map_location="meta")
assert bytes_read() - before < 2**20
