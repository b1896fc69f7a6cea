"""recommend.py: the three best items for a user."""

import argparse
import logging

import torch
from towers import TowerConfig, TwoTowers

log = logging.getLogger("recommend")


def nightly_training(folder):
    """What the cluster writes each night."""
    torch.manual_seed(14)
    model = TwoTowers(TowerConfig(users=6, items=9, width=4))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter))
    model.save_pretrained(folder)
    return model.eval()


def best(model, user, count):
    with torch.no_grad():
        scores = model(torch.tensor(user))
    return scores.topk(count).indices.tolist()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--user", type=int, default=2)
    parser.add_argument("--count", type=int, default=3)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    trained = nightly_training("nightly")
    model = TwoTowers.from_pretrained("nightly").eval()
    log.info("loaded %d parameters", sum(p.numel() for p in model.parameters()))
    items = best(model, args.user, args.count)
    print("for user", args.user, "items", items)
    assert items == best(trained, args.user, args.count), "other items than right after training"


if __name__ == "__main__":
    main()
