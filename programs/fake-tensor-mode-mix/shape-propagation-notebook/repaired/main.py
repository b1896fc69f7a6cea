# %% imports
import math

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

torch.manual_seed(0)

# %% a U-Net in four lines
down = nn.ModuleList([nn.Conv1d(1, 8, 4, 2, 1), nn.Conv1d(8, 16, 4, 2, 1)])
up = nn.ModuleList([nn.ConvTranspose1d(16, 8, 4, 2, 1), nn.ConvTranspose1d(16, 1, 4, 2, 1)])


def unet(x):
    a = torch.relu(down[0](x))
    b = torch.relu(down[1](a))
    c = torch.relu(up[0](b))
    return up[1](torch.cat([a, c], 1))


# %% which lengths go through?
mode = FakeTensorMode(allow_non_fake_inputs=True)


def fits(length):
    with mode:
        signal = torch.empty(2, 1, length)
        try:
            return unet(signal).shape[-1] == length
        except RuntimeError as error:
            print(f"  length {length}: {error}")
            return False


lengths = [64, 100, 256]
table = {length: fits(length) for length in lengths}
print(table)

# %% longest signal for 1 GB of activations, at 26 values per sample
longest = 2 ** int(math.log2(2**30 / 4 / 26))
assert table == {64: True, 100: True, 256: True}
assert fits(longest)
print("longest", longest)
