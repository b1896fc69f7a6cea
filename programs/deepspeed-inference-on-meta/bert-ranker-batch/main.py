"""rank.py: orders answers to a question."""

import argparse
import time

import torch
from engines import make_engine, train_ranker


def rank(engine, pairs):
    with torch.no_grad():
        scores = engine(input_ids=pairs).logits[:, 0]
    return scores, scores.argsort(descending=True).tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranker", default="ranker")
    parser.add_argument("--answers", type=int, default=5)
    options = parser.parse_args()
    trained = train_ranker(options.ranker)
    began = time.monotonic()
    engine = make_engine(options.ranker)
    print(f"engine ready after {time.monotonic() - began > 0}")
    pairs = torch.randint(1, 30, (options.answers, 10), generator=torch.Generator().manual_seed(12))
    scores, order = rank(engine, pairs)
    print("best first:", order)
    expected, _ = rank(trained, pairs)
    torch.testing.assert_close(scores, expected, rtol=1e-3, atol=1e-4)


if __name__ == "__main__":
    main()
