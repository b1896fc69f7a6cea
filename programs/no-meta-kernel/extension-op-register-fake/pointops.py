"""Point cloud operators. The reference kernels are registered from Python, the fast ones are C++."""

import torch
from torch import nn

LIB = torch.library.Library("minipoint", "DEF")
LIB.define("farthest(Tensor points, int count) -> Tensor")


def farthest_cpu(points, count):
    out = []
    for cloud in points:
        picked = [0]
        dist = (cloud - cloud[0]).pow(2).sum(-1)
        while len(picked) < count:
            nxt = int(dist.argmax())
            picked.append(nxt)
            dist = torch.minimum(dist, (cloud - cloud[nxt]).pow(2).sum(-1))
        out.append(cloud[picked])
    return torch.stack(out)


LIB.impl("farthest", farthest_cpu, "CPU")


class PointEncoder(nn.Module):
    def __init__(self, levels, width=12):
        super().__init__()
        self.mlps = nn.ModuleList(
            nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, width)) for _ in range(levels)
        )

    def forward(self, points):
        feats = []
        for mlp in self.mlps:
            points = torch.ops.minipoint.farthest(points, points.shape[1] // 2)
            feats.append(mlp(points).amax(1))
        return torch.cat(feats, -1)
