"""validate.py: does a submitted config build a model that runs?"""

import json
import traceback

import torch
from torch import nn
from torch.utils import checkpoint as ckpt

SUBMITTED = json.dumps({"name": "mlp-a", "width": 12, "blocks": 3, "activation_checkpointing": True})


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(width, width)

    def forward(self, x):
        return x + self.mix(self.norm(x))


class Submitted(nn.Module):
    def __init__(self, spec):
        super().__init__()
        self.spec = spec
        self.blocks = nn.ModuleList(Block(spec["width"]) for _ in range(spec["blocks"]))

    def forward(self, x):
        for block in self.blocks:
            if self.spec["activation_checkpointing"] and self.training:
                x = ckpt.checkpoint(block, x, use_reentrant=True)
            else:
                x = block(x)
        return x


def without_memory():
    return torch.device("meta")


def validate(text):
    spec = json.loads(text)
    with without_memory():
        model = Submitted(spec)
        output = model(torch.empty(2, spec["width"], requires_grad=True))
    return {"name": spec["name"], "output": list(output.shape)}


def main():
    try:
        verdict = validate(SUBMITTED)
    except Exception:
        traceback.print_exc()
        verdict = {"error": "rejected"}
    print(json.dumps(verdict))
    raise SystemExit("error" in verdict)


main()
