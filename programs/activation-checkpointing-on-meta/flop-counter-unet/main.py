"""flops.py: FLOPs of one forward pass without any weights in memory."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential
from torch.utils.flop_counter import FlopCounterMode


class Down(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(nn.Conv2d(a, b, 3, stride=2, padding=1), nn.ReLU())


class Net(nn.Module):
    def __init__(self, segments=2):
        super().__init__()
        self.segments = segments
        self.down = nn.Sequential(Down(3, 8), Down(8, 16))
        self.up = nn.Sequential(nn.Upsample(scale_factor=4), nn.Conv2d(16, 3, 1))

    def forward(self, x):
        if self.segments:
            x = checkpoint_sequential(self.down, self.segments, x, use_reentrant=False)
        else:
            x = self.down(x)
        return self.up(x)


def count(net, side):
    net = net.to("meta")
    picture = torch.empty(1, 3, side, side, device="meta", requires_grad=True)
    with FlopCounterMode(display=False) as counter:
        output = net(picture)
    return counter.get_total_flops(), tuple(output.shape)


if __name__ == "__main__":
    flops, shape = count(Net(), 32)
    print(f"{flops:,} FLOPs, output {shape}")
    assert flops > 0
    assert shape == (1, 3, 32, 32)
