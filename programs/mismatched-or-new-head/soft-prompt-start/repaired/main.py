"""Prompt tuning: a frozen GPT-2 with learned vectors in front of the input."""

import argparse
import logging
import sys

import torch
from prompted import PromptConfig, PromptedGPT2, base
from transformers import GPT2Model

log = logging.getLogger("prompt-tuning")


def load(folder, length):
    config = PromptConfig.from_pretrained(folder, prompt_length=length)
    model = PromptedGPT2(config)
    model.transformer = GPT2Model.from_pretrained(folder)
    return model


def check(prompt):
    off = (prompt.detach() - 0.02).abs().max().item()
    log.info("prompt is off its start value by %.4g", off)
    if not off < 1e-6:
        raise ArithmeticError(f"prompt vectors do not start at 0.02 (off by {off:.3g})")


def tune(model, steps):
    model.transformer.requires_grad_(False)
    opt = torch.optim.Adam([model.prompt], lr=0.05)
    ids = torch.arange(16).reshape(2, 8)
    losses = []
    for _ in range(steps):
        loss = model.loss(ids)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", default="gpt2-base")
    ap.add_argument("--length", type=int, default=5)
    ap.add_argument("--steps", type=int, default=6)
    args = ap.parse_args()
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    base(args.base)
    torch.manual_seed(0)
    model = load(args.base, args.length)
    check(model.prompt)
    losses = tune(model, args.steps)
    log.info("loss %.3f -> %.3f", losses[0], losses[-1])
    assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
