import numpy as np


def make_blobs(n, classes, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    centres = rng.normal(size=(classes, 5)) * 4
    return centres[y] + rng.normal(size=(n, 5)), y


def kfold(n, folds):
    order = np.random.default_rng(1).permutation(n)
    for part in np.array_split(order, folds):
        yield np.setdiff1d(order, part), part
