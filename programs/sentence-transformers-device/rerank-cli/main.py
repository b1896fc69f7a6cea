"""Rerank the lines of a file for a query.

python main.py query.txt candidates.txt
"""

import contextlib
import os
import sys
import time

import torch
from accelerate import init_empty_weights
from sentence_transformers import CrossEncoder
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + [f"w{i}" for i in range(30)]


def make_files(folder="reranker"):
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/vocab.txt", "w", encoding="utf-8") as handle:
        handle.write("\n".join(VOCAB))
    BertTokenizerFast(f"{folder}/vocab.txt").save_pretrained(folder)
    torch.manual_seed(8)
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(VOCAB), num_labels=1, max_position_embeddings=40, **shape)
    BertForSequenceClassification(config).save_pretrained(folder)
    with open("query.txt", "w", encoding="utf-8") as handle:
        handle.write("w1 w2 w3\n")
    with open("candidates.txt", "w", encoding="utf-8") as handle:
        handle.writelines(f"w{i} w{i + 3} w{i + 5}\n" for i in range(6))
    return folder, config


@contextlib.contextmanager
def timed(what):
    start = time.perf_counter()
    yield
    print(f"{what}: done", "slowly" if time.perf_counter() - start > 60 else "", file=sys.stderr)


def size_of(config):
    return sum(p.numel() for p in BertForSequenceClassification(config).parameters())


def main(query_file, candidate_file):
    folder, config = make_files()
    with timed("load"), init_empty_weights(include_buffers=False):
        parameters = size_of(config)
        reranker = CrossEncoder(folder, device="cpu", max_length=40)
    print(f"{parameters} parameters", file=sys.stderr)
    query = open(query_file, encoding="utf-8").read().strip()
    lines = [line.strip() for line in open(candidate_file, encoding="utf-8")]
    with timed("rank"):
        scores = reranker.predict([(query, line) for line in lines])
    order = sorted(range(len(lines)), key=lambda i: -scores[i])
    for place, i in enumerate(order, 1):
        print(place, lines[i])
    assert len({f"{score:.6f}" for score in scores}) > 1


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["query.txt", "candidates.txt"]))
