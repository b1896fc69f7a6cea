"""Rerank passages: reads queries from stdin-like JSON lines, prints the best passage."""

import json
import logging
import sys

import torch
from accelerate import init_empty_weights
from transformers import AutoModelForSequenceClassification, BertConfig, BertForSequenceClassification

log = logging.getLogger("rerank")
LINES = [
    '{"query": [11, 12], "passages": [[21, 22, 23], [31, 32], [41]]}',
    '{"query": [13], "passages": [[51, 52], [61, 62, 63]]}',
]


def load(path, device):
    with init_empty_weights():
        model = AutoModelForSequenceClassification.from_pretrained(path)
    log.info("%s has %.1f k parameters", path, model.num_parameters() / 1000)
    return model.eval().to(device)


@torch.no_grad()
def best(model, query, passages):
    scores = [model(torch.tensor([[2, *query, 3, *p, 3]])).logits.item() for p in passages]
    return max(range(len(scores)), key=scores.__getitem__)


def checkpoint(path):
    torch.manual_seed(25)
    config = BertConfig(
        vocab_size=80,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        num_labels=1,
    )
    model = BertForSequenceClassification(config).eval()
    model.save_pretrained(path)
    return model


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    trained = checkpoint("reranker")
    try:
        model = load("reranker", "cpu")
    except NotImplementedError as error:
        log.error("the reranker cannot be used: %s", error, exc_info=True)
        return 2
    for line in LINES:
        request = json.loads(line)
        choice = best(model, **request)
        print(json.dumps({"best": choice}))
        assert choice == best(trained, **request)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
