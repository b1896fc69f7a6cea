"""Cross-validate a tabular net with an estimator interface."""

import logging

import numpy as np
from estimator import NetClassifier
from sklearn_free import kfold, make_blobs

logging.basicConfig(level=logging.INFO, format="[%(levelname)s] %(name)s: %(message)s")
logger = logging.getLogger("cv")

GRID = [{"hidden": 8, "lr": 0.05}, {"hidden": 16, "lr": 0.05}]


def evaluate(params, x, y, budget):
    scores = []
    for train, test in kfold(len(x), 3):
        est = NetClassifier(**params)
        size = est.n_parameters(x.shape[1], len(np.unique(y)))
        if size > budget:
            logger.info("skip %s: %d parameters", params, size)
            return None
        est.fit(x[train], y[train])
        scores.append((est.predict(x[test]) == y[test]).mean())
    return float(np.mean(scores))


def main():
    x, y = make_blobs(120, classes=3, seed=0)
    results = {str(p): evaluate(p, x, y, budget=10_000) for p in GRID}
    for name, score in results.items():
        logger.info("%s -> %.3f", name, score)
    assert max(results.values()) > 0.9


if __name__ == "__main__":
    main()
