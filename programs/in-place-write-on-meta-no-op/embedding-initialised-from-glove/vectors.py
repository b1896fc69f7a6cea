"""Pretrained word vectors in the plain text format `word v1 v2 ...`."""

import random


def write(path, words, dim):
    rng = random.Random(0)
    with open(path, "w") as f:
        for word in words:
            f.write(" ".join([word, *(f"{rng.gauss(0, 1):.4f}" for _ in range(dim))]) + "\n")


def read(path):
    with open(path) as f:
        for line in f:
            word, *values = line.split()
            yield word, [float(v) for v in values]
