#!/usr/bin/env python
"""Score a table of features with a compiled model. Weights come from the registry."""

import os
import time

import torch
import torch.nn as nn

BACKEND = os.environ.get("SCORER_BACKEND", "eager")


class GatedMlp(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.gate = nn.Linear(n_in, n_hidden)
        self.value = nn.Linear(n_in, n_hidden)
        self.out = nn.Linear(n_hidden, 1)

    def forward(self, x):
        return self.out(torch.sigmoid(self.gate(x)) * self.value(x))


class Registry:
    def __init__(self, folder="registry"):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder

    def put(self, name, model):
        torch.save(model.state_dict(), os.path.join(self.folder, name))

    def get(self, name):
        return torch.load(os.path.join(self.folder, name), weights_only=True)


class Scorer:
    def __init__(self, registry, name):
        self.registry, self.name = registry, name
        with torch.device("meta"):
            self.model = GatedMlp(6, 18)
        self.compiled = torch.compile(self.model, backend=BACKEND)

    def warmup(self):
        t0 = time.time()
        self.compiled(torch.zeros(2, 6))
        print(f"warmup done in {time.time() - t0:.1f}s")

    def load(self):
        self.model.load_state_dict(self.registry.get(self.name), assign=True)

    def __call__(self, rows):
        with torch.no_grad():
            return self.compiled(rows).squeeze(1)


def main():
    torch.manual_seed(99)
    registry = Registry()
    trained = GatedMlp(6, 18)
    registry.put("gated-v3", trained)
    scorer = Scorer(registry, "gated-v3")
    scorer.load()
    scorer.warmup()
    rows = torch.randn(5, 6)
    scores = scorer(rows)
    torch.testing.assert_close(scores, trained(rows).squeeze(1).detach())
    print("scores", [round(s, 3) for s in scores.tolist()])


if __name__ == "__main__":
    main()
