"""Score items for a user. The catalogue has grown, so the item table is replaced on start-up."""

import argparse
import json
import logging

import torch
from torch import nn

log = logging.getLogger("items")


class ItemModel(nn.Module):
    def __init__(self, items, dim=8):
        super().__init__()
        self.items = nn.Embedding(items, dim)
        self.user = nn.Linear(dim, dim, bias=False)

    def forward(self, history, candidates):
        user = self.user(self.items(history).mean(1))
        return (self.items(candidates) * user[:, None]).sum(-1)


def nightly_table(model, items, path):
    """The nightly job: old rows stay, new items start at the mean."""
    old = model.items.weight.detach()
    extra = old.mean(0).expand(items - len(old), -1)
    torch.save({"weight": torch.cat([old, extra])}, path)


def grow(model, items, path):
    old = model.items
    model.items = nn.Embedding(items, old.embedding_dim, device="meta")
    model.items.load_state_dict(torch.load(path, weights_only=True), assign=True)
    log.info("item table %d -> %d, rows in %s", old.num_embeddings, items, path)
    return model


def top(model, history, items, k):
    with torch.no_grad():
        scores = model(torch.tensor([history]), torch.arange(items)[None])
    log.info("scores: %s on %s", tuple(scores.shape), scores.device)
    if scores.device.type != "cpu":
        raise TypeError(f"scores live on {scores.device}, cannot rank them")
    return scores[0].topk(k).indices.tolist()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--items", type=int, default=25)
    ap.add_argument("--top", type=int, default=3)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    torch.manual_seed(2)
    model = ItemModel(20).eval()
    history = [1, 5, 9]
    before = top(model, history, 20, args.top)
    nightly_table(model, args.items, "items.pt")
    after = top(grow(model, args.items, "items.pt"), history, args.items, args.top)
    print(json.dumps({"before": before, "after": after}))
    assert [i for i in after if i < 20] == before[: len([i for i in after if i < 20])]


if __name__ == "__main__":
    main()
