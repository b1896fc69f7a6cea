"""Save, reload, compare: the gate before a model is published."""

import logging
import sys

import torch
from transformers import BertConfig, BertModel

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("gate")


def trained():
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=40,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
    )
    model = BertModel(config)
    model.train()
    return model


def reload(model, folder):
    model.save_pretrained(folder)
    return BertModel.from_pretrained(folder)


@torch.no_grad()
def vectors(model):
    return model(torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])).last_hidden_state.mean(1)


def main():
    model = trained()
    loaded = reload(model, "gate-model")
    gap = (vectors(model) - vectors(loaded)).abs().max().item()
    log.info("largest difference after reload: %.6f", gap)
    if gap > 1e-4:
        log.error("outputs differ after from_pretrained, not published")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
