"""Label lines of text: main.py --device cpu 'some line' ..."""

import argparse
import sys
from pathlib import Path

import torch
from transformers import (
    AutoModelForSequenceClassification,
    BertConfig,
    BertForSequenceClassification,
    BertTokenizerFast,
    pipeline,
)

HOME = Path("labels")
LABELS = {0: "refund", 1: "delivery", 2: "other"}
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] where is my parcel money back thanks".split()


def install():
    HOME.mkdir(exist_ok=True)
    (HOME / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    torch.manual_seed(18)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=24,
        id2label=LABELS,
    )
    BertForSequenceClassification(config).save_pretrained(HOME)


def classifier(device):
    places = {"bert.embeddings": "cpu", "bert.encoder": "disk", "bert.pooler": "cpu"}
    places |= {"dropout": "cpu", "classifier": "cpu"}
    model = AutoModelForSequenceClassification.from_pretrained(
        HOME, device_map=places, offload_folder=str(HOME / "spill")
    )
    return pipeline(
        "text-classification",
        model=model,
        tokenizer=BertTokenizerFast(str(HOME / "vocab.txt")),
        device=device,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    parser.add_argument("lines", nargs="*", default=["where is my parcel", "money back"])
    args = parser.parse_args()
    install()
    try:
        label = classifier(args.device)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line, found in zip(args.lines, label(args.lines), strict=True):
        print(f"{found['label']:10} {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
