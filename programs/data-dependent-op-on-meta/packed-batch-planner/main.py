"""Estimate attention FLOPs of a packed batch for several row widths (nothing is computed)."""

import argparse
import csv
import sys

import torch
from packing import pack


def attention_flops(packed, heads, head_dim):
    total = 0
    for start, end in packed.boundaries():
        q = packed.tokens[start:end].unsqueeze(-1).expand(-1, heads * head_dim).float()
        scores = q.reshape(heads, end - start, head_dim) @ q.reshape(heads, head_dim, end - start)
        total += 4 * scores.numel() * head_dim
    return total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lengths", type=int, nargs="+", default=[120, 40, 900, 300])
    ap.add_argument("--widths", type=int, nargs="+", default=[512, 2048])
    args = ap.parse_args()
    writer = csv.writer(sys.stdout)
    writer.writerow(["width", "tokens", "gflops"])
    with torch.device("meta"):
        for width in args.widths:
            packed = pack(args.lengths, width, vocab=32000)
            flops = attention_flops(packed, heads=8, head_dim=64)
            writer.writerow([width, packed.tokens.numel(), round(flops / 1e9, 3)])
    expected = 4 * 8 * 64 * sum(n * n for n in args.lengths)
    assert flops == expected, (flops, expected)


if __name__ == "__main__":
    main()
