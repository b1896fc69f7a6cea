"""Release check: perplexity of the reloaded model must equal that of the trained one."""

import argparse
import logging
import math
import sys

import torch
from decoder import Decoder, DecoderConfig

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")


def text(seed=0, n=4, length=48):
    g = torch.Generator().manual_seed(seed)
    start = torch.randint(0, 40, (n, 1), generator=g)
    return (start + 3 * torch.arange(length)) % 40


def train(steps):
    torch.manual_seed(60)
    model = Decoder(DecoderConfig())
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for step in range(steps):
        loss = model.loss(text(step))
        opt.zero_grad()
        loss.backward()
        opt.step()
    logging.info("trained, last loss %.4f", loss.item())
    return model.eval()


@torch.no_grad()
def perplexity(model):
    return math.exp(model.loss(text(999)).item())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=25)
    ap.add_argument("--out", default="decoder-release")
    args = ap.parse_args()
    model = train(args.steps)
    model.save_pretrained(args.out)
    before = perplexity(model)
    after = perplexity(Decoder.from_pretrained(args.out).eval())
    logging.info("perplexity before %.6f after %.6f", before, after)
    if not abs(before - after) < 1e-4 * before:
        sys.exit(f"release check failed: perplexity {before:.4f} became {after:.4f}")


if __name__ == "__main__":
    main()
