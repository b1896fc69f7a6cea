"""Tag tokens. The recurrent part is created when the width of the features is known."""

import json
import logging
import sys

import torch
from torch import nn

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s:tagger:%(message)s")


class Tagger(nn.Module):
    def __init__(self, extra_features, hidden=12, tags=5):
        super().__init__()
        self.words = nn.Embedding(50, 10)
        self.hidden = hidden
        self.rnn = None
        self.out = nn.Linear(2 * hidden, tags)
        self.width = 10 + extra_features

    def ensure_rnn(self, device):
        if self.rnn is None:
            self.rnn = nn.LSTM(self.width, self.hidden, batch_first=True, bidirectional=True, device=device)

    def forward(self, ids, features):
        x = torch.cat([self.words(ids), features], -1)
        return self.out(self.rnn(x)[0])


def load(path):
    blob = torch.load(path, weights_only=True)
    model = Tagger(blob["extra_features"])
    model.ensure_rnn("meta")
    own = {k: v for k, v in blob["state"].items() if not k.startswith("rnn.")}
    model.load_state_dict(own, strict=False)
    rest = {k.removeprefix("rnn."): v for k, v in blob["state"].items() if k.startswith("rnn.")}
    model.rnn.load_state_dict(rest, assign=True)
    logging.info("%d tensors for the trunk, %d for the rnn", len(own), len(rest))
    return model.eval(), rest


def tag(model, ids):
    features = torch.nn.functional.one_hot(ids % 3, 3).float()
    with torch.no_grad():
        return model(ids, features).argmax(-1)


def main():
    torch.manual_seed(44)
    trained = Tagger(3)
    trained.ensure_rnn("cpu")
    torch.save({"extra_features": 3, "state": trained.state_dict()}, "tagger.pt")
    model, rest = load("tagger.pt")
    ids = torch.tensor([[4, 8, 15, 16, 23, 42]])
    try:
        tags = tag(model, ids)
    except RuntimeError as e:
        logging.error("sentence skipped: %s", e)
        return 1
    assert torch.equal(tags, tag(trained.eval(), ids))
    print(json.dumps({"tags": tags[0].tolist(), "rnn_tensors": len(rest)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
