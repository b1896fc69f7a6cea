"""Score a dataset with a model that must not stay in memory between batches."""

import json
import logging
import pathlib
import sys

import torch
from accelerate import dispatch_model
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("scoring")
SPILL = pathlib.Path("spill")


def load(folder):
    model = GPT2LMHeadModel.from_pretrained(folder).eval()
    SPILL.mkdir(exist_ok=True)
    return dispatch_model(model, {"": "disk"}, main_device="cpu", offload_dir=str(SPILL))


@torch.no_grad()
def surprise(model, ids):
    logits = model(ids).logits[:, :-1].log_softmax(-1)
    return -logits.gather(-1, ids[:, 1:, None]).mean().item()


def main():
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="[%(levelname)s] %(message)s")
    torch.manual_seed(73)
    config = GPT2Config(
        n_layer=2, n_embd=24, n_head=2, vocab_size=40, n_positions=16, tie_word_embeddings=False
    )
    reference = GPT2LMHeadModel(config).eval()
    reference.save_pretrained("scorer")
    try:
        model = load("scorer")
    except ValueError as e:
        log.error("job not started: %s", e)
        return 1
    for row in ([[1, 2, 3, 4]], [[5, 6, 7, 8]]):
        value = surprise(model, torch.tensor(row))
        assert abs(value - surprise(reference, torch.tensor(row))) < 1e-4
        print(json.dumps({"row": row[0], "surprise": round(value, 4)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
