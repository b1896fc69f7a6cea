"""Summarise notes with a big model on a small laptop: part of the layers stay on disk."""

import argparse
import logging
import os

import torch
from transformers import AutoModelForCausalLM, GPTNeoXConfig, GPTNeoXForCausalLM

log = logging.getLogger("notes")


def fetch(folder):
    """Old community checkpoints come as pytorch_model.bin."""
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(3)
    config = GPTNeoXConfig(
        vocab_size=70,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=4,
        max_position_embeddings=64,
    )
    model = GPTNeoXForCausalLM(config).eval()
    config.architectures = ["GPTNeoXForCausalLM"]
    config.save_pretrained(folder)
    torch.save(model.state_dict(), os.path.join(folder, "pytorch_model.bin"))
    return model


def placement(layers, resident):
    table = {"gpt_neox.embed_in": "cpu", "gpt_neox.final_layer_norm": "cpu", "embed_out": "cpu"}
    table["gpt_neox.rotary_emb"] = "cpu"
    for n in range(layers):
        table[f"gpt_neox.layers.{n}"] = "cpu" if n < resident else "disk"
    return table


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="pythia-tiny")
    p.add_argument("--resident-layers", type=int, default=1)
    a = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    original = fetch(a.model)
    table = placement(3, a.resident_layers)
    log.info("placement %s", table)
    model = AutoModelForCausalLM.from_pretrained(a.model, device_map=table, offload_folder="offload")
    ids = torch.tensor([[1, 5, 7, 9]])
    with torch.no_grad():
        out = model.generate(ids, max_new_tokens=3, do_sample=False, pad_token_id=0)
        want = original.generate(ids, max_new_tokens=3, do_sample=False, pad_token_id=0)
    assert out.tolist() == want.tolist()
    log.info("summary tokens %s", out[0].tolist())


if __name__ == "__main__":
    main()
