"""Report the share of small weights for every linear layer (before magnitude pruning)."""

import argparse
import csv
import logging
import sys

import numpy as np
import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

log = logging.getLogger("sparsity")


def demo(path):
    torch.manual_seed(62)
    config = LlamaConfig(
        vocab_size=40, hidden_size=24, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2
    )
    model = LlamaForCausalLM(config)
    model.save_pretrained(path)
    return model


def open_model(path, disk_from):
    places = {
        "model.embed_tokens": "cpu",
        "model.norm": "cpu",
        "model.rotary_emb": "cpu",
        "lm_head": "cpu",
    }
    for n in range(2):
        places[f"model.layers.{n}"] = "disk" if n >= disk_from else "cpu"
    return AutoModelForCausalLM.from_pretrained(path, device_map=places, offload_folder="offload")


def small_share(layer, threshold):
    w = np.abs(layer.weight.detach().float().cpu().numpy())
    return float((w < threshold).mean())


def report(model, threshold):
    rows = []
    for name, layer in model.named_modules():
        if isinstance(layer, torch.nn.Linear):
            rows.append((name, tuple(layer.weight.shape), round(small_share(layer, threshold), 4)))
    return rows


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--model", default="llama-demo")
    ap.add_argument("--threshold", type=float, default=0.01)
    ap.add_argument("--disk-from", type=int, default=1)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s %(levelname)s %(message)s")
    original = demo(args.model)
    rows = report(open_model(args.model, args.disk_from), args.threshold)
    csv.writer(sys.stdout).writerows(rows)
    assert rows == report(original, args.threshold)
    log.info("%d layers", len(rows))


if __name__ == "__main__":
    main()
