"""Retrieval evaluation: recall@1 of a pair encoder."""

import argparse
import logging
import sys

import torch
from contrastive import PairConfig, PairEncoder

log = logging.getLogger("eval")


def recall(model, left, right):
    with torch.no_grad():
        best = model(left, right).argmax(1)
    return (best == torch.arange(len(left))).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", default="pairs")
    parser.add_argument("--queries", type=int, default=20)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s,%(msecs)03d %(name)s %(message)s")
    torch.manual_seed(81)
    model = PairEncoder(PairConfig()).eval()
    model.save_pretrained(args.checkpoint)
    left, right = torch.randn(args.queries, 8), torch.randn(args.queries, 6)
    expected = recall(model, left, right)
    loaded = PairEncoder.from_pretrained(args.checkpoint).eval()
    got = recall(loaded, left, right)
    log.info("recall@1 %.3f, when saved %.3f", got, expected)
    torch.testing.assert_close(loaded.logit_scale, model.logit_scale)
    return got != expected


if __name__ == "__main__":
    sys.exit(main())
