"""Evaluate a sentence encoder, keep the object and the score."""

import logging

import torch
from snapshots import Snapshots
from transformers import AutoModel, DistilBertConfig, DistilBertModel

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
MAP = {"embeddings": "cpu", "transformer.layer.0": "cpu", "transformer.layer.1": "disk"}


def checkpoint(path):
    torch.manual_seed(23)
    config = DistilBertConfig(vocab_size=70, dim=24, hidden_dim=48, n_layers=2, n_heads=2)
    DistilBertModel(config).save_pretrained(path)


def embed(model, ids):
    with torch.no_grad():
        return model(ids).last_hidden_state.mean(1)


class Experiment:
    def __init__(self, path):
        self.model = AutoModel.from_pretrained(path).eval()
        self.store = Snapshots()

    def run(self, ids):
        vectors = embed(self.model, ids)
        similarity = torch.nn.functional.cosine_similarity(vectors[0], vectors[1], dim=0).item()
        self.store.keep("encoder", self.model)
        self.store.keep("score", {"similarity": similarity})
        return similarity


def main():
    checkpoint("distil")
    ids = torch.tensor([[4, 8, 15, 16], [4, 8, 15, 42]])
    experiment = Experiment("distil")
    similarity = experiment.run(ids)
    again = embed(experiment.store.get("encoder").eval(), ids)
    assert abs(torch.nn.functional.cosine_similarity(again[0], again[1], dim=0).item() - similarity) < 1e-6


main()
