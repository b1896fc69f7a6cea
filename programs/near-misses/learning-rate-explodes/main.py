"""Train a language model on a toy corpus; a guard stops at non-finite losses."""

import argparse
import logging
import math

import torch
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("lm")


class NonFiniteGuard:
    def __init__(self, patience=0):
        self.patience, self.seen = patience, 0

    def __call__(self, step, loss):
        if math.isfinite(loss):
            self.seen = 0
            return
        self.seen += 1
        log.warning("step %d: loss is %s", step, loss)
        if self.seen > self.patience:
            raise FloatingPointError(f"loss is {loss} at step {step}; are all weights initialised?")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=30.0)
    parser.add_argument("--steps", type=int, default=60)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=50, n_positions=32, n_embd=32, n_layer=2, n_head=2))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    guard = NonFiniteGuard()
    ids = torch.randint(0, 50, (8, 24))
    for step in range(args.steps):
        loss = model(input_ids=ids, labels=ids).loss
        guard(step, loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            log.info("step %d loss %.3f", step, loss.item())


if __name__ == "__main__":
    main()
