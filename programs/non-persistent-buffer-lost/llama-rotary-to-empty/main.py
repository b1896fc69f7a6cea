"""Regression test of the fast loader: logits must equal those of the slow one."""

import argparse
import logging
import sys

import torch
from safetensors.torch import load_file, save_file
from transformers import LlamaConfig, LlamaForCausalLM

log = logging.getLogger("fastload")


def make_config(layers):
    return LlamaConfig(
        vocab_size=96,
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=128,
        tie_word_embeddings=False,
    )


def slow(config, path):
    torch.manual_seed(0)
    model = LlamaForCausalLM(config).eval()
    save_file({k: v.contiguous() for k, v in model.state_dict().items()}, path)
    return model


def fast(config, path, device):
    with torch.device("meta"):
        model = LlamaForCausalLM(config)
    model.to_empty(device=device)
    result = model.load_state_dict(load_file(path, device=device), strict=True)
    log.info("fast loader: %s", result)
    return model.eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--layers", type=int, default=2)
    ap.add_argument("--tol", type=float, default=1e-4)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(message)s")
    config = make_config(args.layers)
    ids = torch.randint(0, 96, (2, 48), generator=torch.Generator().manual_seed(4))
    with torch.inference_mode():
        a = slow(config, "llama.safetensors")(ids).logits
        b = fast(config, "llama.safetensors", "cpu")(ids).logits
    worst = (a - b).abs().max().item()
    if not worst < args.tol:
        log.error("logits differ: max |delta| = %s", worst)
        sys.exit(1)
    log.info("logits agree (max |delta| = %.2e)", worst)


if __name__ == "__main__":
    main()
