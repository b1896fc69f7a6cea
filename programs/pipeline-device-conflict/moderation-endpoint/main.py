"""Moderation service. The tokenizer is built here, so the service starts without a network."""

import json
import logging
import os

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import (
    AutoModelForSequenceClassification,
    BertConfig,
    BertForSequenceClassification,
    PreTrainedTokenizerFast,
    pipeline,
)

log = logging.getLogger("moderation")
WORDS = ["[PAD]", "[UNK]", "you", "are", "kind", "rude", "very"]


def make_tokenizer():
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]")


def make_model(folder):
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "max_position_embeddings": 16}
    config = BertConfig(vocab_size=len(WORDS), num_hidden_layers=2, num_attention_heads=2, **sizes)
    config.id2label, config.label2id = {0: "ok", 1: "block"}, {"ok": 0, "block": 1}
    BertForSequenceClassification(config).save_pretrained(folder)


class Moderator:
    def __init__(self, folder):
        parts = {"bert.embeddings": "cpu", "bert.encoder": "disk", "bert.pooler": "cpu"}
        model = AutoModelForSequenceClassification.from_pretrained(
            folder, device_map=parts | {"dropout": "cpu", "classifier": "cpu"}, offload_folder="offload"
        )
        device = os.environ.get("MODERATION_DEVICE", "cpu")
        self.classify = pipeline(
            "text-classification", model=model, tokenizer=make_tokenizer(), device=device
        )
        log.info("serving on %s", self.classify.device)

    def post(self, body):
        texts = json.loads(body)["texts"]
        return json.dumps([{"text": t, **r} for t, r in zip(texts, self.classify(texts), strict=True)])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    make_model("moderation-model")
    answer = Moderator("moderation-model").post('{"texts": ["you are kind", "you are very rude"]}')
    print(answer)
    assert {row["label"] for row in json.loads(answer)} <= {"ok", "block"}
