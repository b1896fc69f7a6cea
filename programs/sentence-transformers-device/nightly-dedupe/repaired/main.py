"""Nightly: drop rows whose sentence is nearly that of an earlier row. Low memory: see `lean()`."""

import csv
import json
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer, util
from transformers import BertConfig, BertModel, BertTokenizerFast

WORK = Path("dedupe")


def setup():
    WORK.mkdir(exist_ok=True)
    words = "[PAD] [UNK] [CLS] [SEP] [MASK] late parcel lost parcel again refund please cat".split()
    vocabulary = sorted(set(words), key=words.index)
    (WORK / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    BertTokenizerFast(str(WORK / "vocab.txt")).save_pretrained(WORK)
    torch.manual_seed(5)
    BertModel(
        BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=20,
        )
    ).save_pretrained(WORK)
    rows = ["late parcel", "lost parcel again", "late parcel", "refund please", "cat"]
    with open(WORK / "rows.csv", "w", newline="", encoding="utf-8") as handle:
        csv.writer(handle).writerows([[row] for row in rows])


def lean():
    """Contexts that keep memory low while the job runs."""
    stack = ExitStack()
    stack.enter_context(torch.inference_mode())
    return stack


def encoder(attempts=2):
    for attempt in range(1, attempts + 1):
        try:
            return SentenceTransformer(str(WORK), device="cpu")
        except NotImplementedError as error:
            print(json.dumps({"level": "error", "attempt": attempt, "error": str(error)}), file=sys.stderr)
            time.sleep(0.05)
    return None


def main():
    setup()
    with lean():
        model = encoder()
        if model is None:
            print(json.dumps({"level": "fatal", "error": "no embedding model"}), file=sys.stderr)
            return 1
        with open(WORK / "rows.csv", newline="", encoding="utf-8") as handle:
            rows = [row[0] for row in csv.reader(handle)]
        vectors = model.encode(rows, convert_to_tensor=True)
        scores = util.cos_sim(vectors, vectors)
        kept = [row for i, row in enumerate(rows) if not (scores[i, :i] > 0.999).any()]
    print(*kept, sep="\n")
    return 0 if len(kept) == 4 else 1


if __name__ == "__main__":
    sys.exit(main())
