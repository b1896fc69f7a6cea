"""Team B: nightly check that the shared base still gives the numbers of its release."""

import logging
import sys

import team_a
import torch
from transformers import BertConfig, BertForSequenceClassification

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)


def release(folder):
    torch.manual_seed(19)
    config = BertConfig(
        vocab_size=60,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
        num_labels=3,
    )
    BertForSequenceClassification(config).save_pretrained(folder)


@torch.no_grad()
def fingerprint(folder, ids):
    model = BertForSequenceClassification.from_pretrained(folder).eval()
    return model(input_ids=ids).logits


def main():
    base = "shared"
    release(base)
    ids = torch.arange(4, 14)[None]
    expected = fingerprint(base, ids)
    logging.info("team A tags: %s", team_a.tag(base, "a-adapter", ids))
    found = fingerprint(base, ids)
    if not torch.allclose(expected, found, atol=1e-6):
        logging.error("the base gives other numbers than at its release")
        return 1
    logging.info("base unchanged")
    return 0


if __name__ == "__main__":
    sys.exit(main())
