"""Architecture search over graph nets: shapes first, training later."""

import itertools
import logging
import traceback

import torch
from torch import nn

log = logging.getLogger("search")


def to_sparse(adj):
    if adj.is_meta:  # the dense stand-in has the shape, and the product the same result
        return torch.zeros_like(adj)
    return adj.to_sparse()


class GraphNet(nn.Module):
    def __init__(self, features, width, depth):
        super().__init__()
        sizes = [features] + [width] * depth
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.out = nn.Linear(width, 2)

    def forward(self, adj, x):
        adj = to_sparse(adj)
        for layer in self.layers:
            x = torch.relu(layer(torch.sparse.mm(adj, x)) if adj.is_sparse else layer(adj @ x))
        return self.out(x)


def cost(width, depth, nodes=40, features=6):
    with torch.device("meta"):
        net = GraphNet(features, width, depth)
        out = net(torch.eye(nodes), torch.empty(nodes, features))
    assert out.shape == (nodes, 2)
    return sum(p.numel() for p in net.parameters())


def search(widths, depths, limit):
    table = {}
    for width, depth in itertools.product(widths, depths):
        try:
            table[width, depth] = cost(width, depth)
        except Exception:
            log.warning("candidate width=%d depth=%d failed\n%s", width, depth, traceback.format_exc())
    fitting = {k: v for k, v in table.items() if v <= limit}
    log.info("%d of %d candidates fit", len(fitting), len(table))
    return max(fitting, key=fitting.get)


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    width, depth = search([8, 16], [1, 2], limit=450)
    log.info("training width=%d depth=%d", width, depth)
    torch.manual_seed(0)
    out = GraphNet(6, width, depth)(torch.eye(5), torch.rand(5, 6))
    assert out.isfinite().all()
    assert (width, depth) == (16, 2)


if __name__ == "__main__":
    main()
