"""Latency of a model by device: main.py --devices cpu"""

import argparse
import statistics
import time

import torch
from transformers import (
    AutoModelForSequenceClassification,
    DistilBertConfig,
    DistilBertForSequenceClassification,
)


def candidate(path):
    torch.manual_seed(20)
    config = DistilBertConfig(
        vocab_size=60, dim=16, hidden_dim=24, n_layers=2, n_heads=2, max_position_embeddings=20
    )
    DistilBertForSequenceClassification(config).save_pretrained(path)
    return path


def load(path):
    return AutoModelForSequenceClassification.from_pretrained(path)


@torch.inference_mode()
def median(model, ids, rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        model(input_ids=ids)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", nargs="+", default=["cpu"])
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    model = load(candidate("distil")).eval()
    ids = torch.arange(2, 14)[None]
    for device in args.devices:
        model = model.to(device)
        took = median(model, ids.to(device), args.rounds)
        print(f"{device:8} {'measured' if took > 0 else 'failed'}")


if __name__ == "__main__":
    main()
