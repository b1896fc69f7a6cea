"""weightcard: a table of norms for every tensor of a model, offloaded ones are listed as 'n/a'."""

import argparse
import csv
import sys

import torch
from accelerate import init_empty_weights
from transformers import GPT2Config, GPT2LMHeadModel

REQUIRES = "torch>=2.1,<2.3"


def build(layers, skeleton):
    config = GPT2Config(n_layer=layers, n_embd=32, n_head=2, vocab_size=97, n_positions=32)
    if skeleton:
        with init_empty_weights():
            return GPT2LMHeadModel(config)
    torch.manual_seed(0)
    return GPT2LMHeadModel(config)


def norm_of(tensor):
    if tensor.is_meta:
        return "n/a"
    return f"{tensor.norm().item():.4f}"


def report(model, out):
    rows = csv.writer(out, delimiter="\t")
    rows.writerow(["name", "shape", "norm"])
    count = 0
    for name, p in model.named_parameters():
        rows.writerow([name, tuple(p.shape), norm_of(p)])
        count += 1
    return count


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--layers", type=int, default=2)
    args = ap.parse_args()
    print(f"weightcard 0.4 (written for {REQUIRES}), torch {torch.__version__}", file=sys.stderr)
    for skeleton in (False, True):
        count = report(build(args.layers, skeleton), sys.stdout)
        print(f"{count} tensors, skeleton={skeleton}", file=sys.stderr)
        assert count > 12 * args.layers


if __name__ == "__main__":
    main()
