import argparse
import logging
import sys

import torch
from examples import image_example, text_example
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

log = logging.getLogger("export")


class TwoTower(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.image = nn.Sequential(nn.Flatten(), nn.Linear(192, dim))
        self.text = nn.EmbeddingBag(30, dim)

    def forward(self, image, text):
        return (self.image(image) * self.text(text)).sum(-1)


def build(batch):
    return image_example(batch), text_example(batch)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=4)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    mode = FakeTensorMode()
    with mode:
        model = TwoTower().eval()
    log.info("exporting on %s", type(mode).__name__)
    program = torch.export.export(model, build(args.batch))
    (output,) = (n for n in program.graph.nodes if n.op == "output")
    shape = tuple(output.args[0][0].meta["val"].shape)
    log.info("output %s", shape)
    return 0 if shape == (args.batch,) else 1


if __name__ == "__main__":
    sys.exit(main())
