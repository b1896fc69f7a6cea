"""Build a nearest-neighbour index over the token embeddings of a language model."""

import os

import numpy as np
import torch
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM


def fetch(folder):
    torch.manual_seed(12)
    config = Qwen2Config(
        vocab_size=300,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        tie_word_embeddings=False,
    )
    model = Qwen2ForCausalLM(config)
    model.save_pretrained(folder)
    return model.lm_head.weight.detach().numpy().copy()


class TokenIndex:
    def __init__(self, vectors):
        norm = np.linalg.norm(vectors, axis=1, keepdims=True)
        self.vectors = vectors / np.maximum(norm, 1e-9)

    def nearest(self, token, k=3):
        order = np.argsort(-self.vectors @ self.vectors[token])
        return [int(i) for i in order if i != token][:k]


def load(folder):
    device = os.environ.get("MODEL_DEVICE", "cpu")
    return AutoModelForCausalLM.from_pretrained(folder, device_map={"": device})


def build(model):
    return TokenIndex(model.lm_head.weight.detach().float().numpy())


if __name__ == "__main__":
    truth = fetch("qwen-small")
    index = build(load("qwen-small"))
    print("neighbours of 17:", index.nearest(17))
    assert index.nearest(17) == TokenIndex(truth).nearest(17)
