"""Export a tabular model's graph for the serving team. The weights travel separately."""

import logging
import pathlib

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(message)s")
log = logging.getLogger("export")


class TabularNet(nn.Module):
    def __init__(self, numeric=6, categories=30, dim=8):
        super().__init__()
        self.embed = nn.Embedding(categories, dim)
        self.numeric = nn.Linear(numeric, dim)
        self.out = nn.Sequential(nn.LayerNorm(2 * dim), nn.Linear(2 * dim, 1))

    def forward(self, numbers, category):
        x = torch.cat([self.numeric(numbers), self.embed(category)], -1)
        return self.out(x).squeeze(-1)


def example(batch, device=None):
    numbers = torch.zeros(batch, 6, device=device)
    category = torch.zeros(batch, dtype=torch.long, device=device)
    return numbers, category


def export(path):
    with torch.device("meta"):
        net = TabularNet().eval()
    program = torch.export.export(net, example(4, device="meta"))
    log.info("%d nodes", len(program.graph.nodes))
    path.write_text(str(program.graph))
    return program


def main():
    target = pathlib.Path("graph.txt")
    try:
        program = export(target)
    except Exception as e:
        log.error("export failed: %s: %s", type(e).__name__, str(e).splitlines()[0])
        raise
    names = {spec.target for spec in program.graph_signature.input_specs if spec.target}
    assert "embed.weight" in names, names
    assert "cat" in target.read_text()


if __name__ == "__main__":
    main()
