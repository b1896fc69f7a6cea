"""Audit: norms and sparsity of every weight. Usage: python main.py [limit such as 60KB]"""

import csv
import sys

import torch
from transformers import AutoModel, BertConfig, BertModel


def candidate(path):
    torch.manual_seed(16)
    shape = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}
    BertModel(BertConfig(vocab_size=100, max_position_embeddings=32, **shape)).save_pretrained(path)


def fetch(path, limit):
    return AutoModel.from_pretrained(path, device_map={"": "cpu"})


def rows(model):
    for name, weight in model.named_parameters():
        values = weight.detach().float().cpu()
        yield name, f"{values.norm().item():.3f}", int((values == 0).sum())


def main(limit="60KB"):
    candidate("audited")
    model = fetch("audited", limit)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["name", "norm", "zeros"])
    count = 0
    for row in rows(model):
        out.writerow(row)
        count += 1
    assert count == len(list(model.parameters()))


if __name__ == "__main__":
    main(*sys.argv[1:])
