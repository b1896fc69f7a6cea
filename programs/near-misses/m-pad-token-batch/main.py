"""Classify tickets in batches."""

import logging
import time

import torch
from transformers import GPT2Config, GPT2ForSequenceClassification

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
log = logging.getLogger("tickets")


def load():
    torch.manual_seed(3)
    config = GPT2Config(n_layer=1, n_embd=16, n_head=2, vocab_size=40, n_positions=16, num_labels=3)
    GPT2ForSequenceClassification(config).save_pretrained("tickets")
    return GPT2ForSequenceClassification.from_pretrained("tickets", device_map={"": "cpu"}).eval()


def batches(rows, size):
    for n in range(0, len(rows), size):
        chunk = rows[n : n + size]
        width = max(map(len, chunk))
        yield torch.tensor([r + [0] * (width - len(r)) for r in chunk])


def classify(model, rows, size=2, attempts=2):
    out = []
    for ids in batches(rows, size):
        for n in range(attempts):
            try:
                with torch.no_grad():
                    out += model(ids.to(model.device)).logits.argmax(-1).tolist()
                break
            except ValueError as e:
                log.warning("attempt %d: %s", n + 1, e)
                time.sleep(0.01)
        else:
            raise RuntimeError(f"batch of shape {tuple(ids.shape)} failed {attempts} times")
    return out


if __name__ == "__main__":
    print(classify(load(), [[1, 2, 3], [4, 5], [6]]))
