"""Measure the peak memory of loading with and without meta, on Linux."""

import subprocess
import sys

import torch
from torch import nn

torch.save(nn.Linear(4096, 8192, bias=False).state_dict(), "layer.pt")
PROGRAM = """
import torch
from torch import nn

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

before = peak()
with torch.device({device!r}):
    layer = nn.Linear(4096, 8192, bias=False)
layer.load_state_dict(torch.load("layer.pt"), assign={assign})
print(peak() - before)
"""


def growth(device, assign):
    program = PROGRAM.format(device=device, assign=assign)
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)


size = 4096 * 8192 * 4
on_meta, for_real = growth("meta", True), growth("cpu", False)
print(f"{size / 2**20:.0f} MB, peak {on_meta / 2**20:.0f} MB on meta, {for_real / 2**20:.0f} MB for real")
assert on_meta < 1.5 * size
assert for_real > 1.7 * size
