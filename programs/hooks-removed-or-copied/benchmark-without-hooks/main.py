"""How much do accelerate's hooks cost? Compare speed and output with and without them."""

import argparse
import sys
import time

import torch
from accelerate.hooks import remove_hook_from_submodules
from transformers import AutoModelForCausalLM, GemmaConfig, GemmaForCausalLM

IDS = torch.tensor([[2, 14, 9, 27, 5]])


def checkpoint(path):
    torch.manual_seed(45)
    config = GemmaConfig(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
    )
    GemmaForCausalLM(config).save_pretrained(path)


def layout():
    table = {"model.embed_tokens": "cpu", "model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}
    for layer in range(2):
        for part in ("input_layernorm", "post_attention_layernorm", "mlp", "self_attn"):
            table[f"model.layers.{layer}.{part}"] = "disk" if (layer, part) == (1, "mlp") else "cpu"
    return table


@torch.no_grad()
def measure(model, runs):
    start = time.perf_counter()
    for _ in range(runs):
        logits = model(IDS).logits
    return (time.perf_counter() - start) / runs * 1e3, logits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="gemma-nano")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    checkpoint(args.model)
    model = AutoModelForCausalLM.from_pretrained(
        args.model, device_map=layout(), offload_folder=f"{args.model}/disk"
    ).eval()
    hooked, a = measure(model, args.runs)
    remove_hook_from_submodules(model)
    bare, b = measure(model, args.runs)
    print(f"with hooks {hooked:.2f} ms, without {bare:.2f} ms")
    difference = (a - b).abs().max().item()
    if not difference < 1e-4:
        print(f"outputs differ by {difference}", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
