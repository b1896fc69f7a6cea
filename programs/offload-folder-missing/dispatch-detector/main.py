"""Run a detector on frames; parts that do not fit are dispatched elsewhere."""

import json
import logging
import sys

import torch
from accelerate import dispatch_model
from torch import nn

logging.basicConfig(stream=sys.stderr, level=logging.INFO)
log = logging.getLogger("detector")


class Detector(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1), nn.ReLU())
        self.neck = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1), nn.ReLU())
        self.boxes = nn.Conv2d(width, 4, 1)
        self.scores = nn.Conv2d(width, 2, 1)

    def forward(self, frame):
        x = self.neck(self.backbone(frame))
        return self.boxes(x).sigmoid(), self.scores(x)


def plan(model, budget):
    sizes = {n: sum(p.numel() * 4 for p in m.parameters()) for n, m in model.named_children()}
    table, used = {}, 0
    for name, size in sorted(sizes.items(), key=lambda kv: kv[1]):
        used += size
        table[name] = "cpu" if used <= budget else "disk"
    return table


class Runner:
    def __init__(self, budget=8000):
        torch.manual_seed(9)
        model = Detector().eval()
        table = plan(model, budget)
        log.info("device map: %s", json.dumps(table))
        self.model = dispatch_model(model, table, main_device="cpu")

    @torch.inference_mode()
    def __call__(self, frame):
        return self.model(frame)


if __name__ == "__main__":
    frame = torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(1))
    try:
        boxes, scores = Runner()(frame)
    except ValueError as e:
        log.error("runner failed: %s", e)
        raise SystemExit(2) from e
    torch.manual_seed(9)
    want = Detector().eval()(frame)
    assert torch.allclose(boxes, want[0], atol=1e-6)
    print("boxes", tuple(boxes.shape), "scores", tuple(scores.shape))
