"""Moderation service, plain http.server style handler; one request is sent at start as a self-check."""

import json
import logging
import sys
from http import HTTPStatus

import torch
from transformers import AutoModelForSequenceClassification, LlamaConfig, LlamaForSequenceClassification

logger = logging.getLogger("moderation")
LABELS = ("fine", "spam", "abuse")
CONFIG = LlamaConfig(
    vocab_size=100,
    hidden_size=24,
    intermediate_size=48,
    num_hidden_layers=2,
    num_attention_heads=2,
    num_key_value_heads=2,
    num_labels=3,
    pad_token_id=0,
)
MEMORY = {
    "model.embed_tokens": "cpu",
    "model.layers": "cpu",
    "model.norm": "cpu",
    "model.rotary_emb": "cpu",
    "score": "cpu",
}


class Handler:
    def __init__(self, model):
        self.model = model

    @torch.no_grad()
    def do_POST(self, body):
        ids = torch.tensor([json.loads(body)["tokens"]])
        probabilities = self.model(ids).logits.softmax(-1)[0]
        if not torch.isfinite(probabilities).all():
            return HTTPStatus.INTERNAL_SERVER_ERROR, json.dumps({"error": "non-finite probabilities"})
        return HTTPStatus.OK, json.dumps(dict(zip(LABELS, probabilities.tolist())))


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(name)s - %(levelname)s - %(message)s")
    torch.manual_seed(29)
    original = LlamaForSequenceClassification(CONFIG).eval()
    original.save_pretrained("moderator")
    model = AutoModelForSequenceClassification.from_pretrained(
        "moderator", device_map=MEMORY, offload_folder="moderator/off"
    ).eval()
    request = json.dumps({"tokens": [7, 8, 9, 10]})
    status, answer = Handler(model).do_POST(request)
    _, golden = Handler(original).do_POST(request)
    logger.info("self-check: %s %s, golden %s", status.value, answer, golden)
    close = status == HTTPStatus.OK and all(
        abs(json.loads(answer)[k] - v) < 1e-3 for k, v in json.loads(golden).items()
    )
    if not close:
        logger.critical("self-check failed, not going into rotation")
        sys.exit(1)


if __name__ == "__main__":
    main()
