"""Qwen on a small budget; prints the log-likelihood of a probe sentence."""

import argparse
import logging

import torch
from planner import merged, plan
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM

log = logging.getLogger("budget")
PROBE = torch.tensor([[5, 17, 3, 44, 8, 21]])


def loglik(model):
    with torch.no_grad():
        return -model(PROBE, labels=PROBE).loss.item()


def source(path):
    torch.manual_seed(71)
    config = Qwen2Config(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        tie_word_embeddings=False,
    )
    model = Qwen2ForCausalLM(config).eval()
    model.save_pretrained(path)
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--budget", type=int, default=20_500, help="values that may stay in memory")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    model = source("qwen-nano")
    expected = loglik(model)
    sizes = {name: p.numel() for name, p in model.named_parameters()}
    blocks = ["model.layers.0", "model.layers.1", "model.embed_tokens", "model.norm", "lm_head"]
    placement = merged(plan(sizes, args.budget), blocks) | {"model.rotary_emb": "cpu"}
    for name, device in placement.items():
        log.info("%-28s %s", name, device)
    small = AutoModelForCausalLM.from_pretrained("qwen-nano", device_map=placement, offload_folder="disk")
    value = loglik(small.eval())
    log.info("log-likelihood %.5f, expected %.5f", value, expected)
    assert abs(value - expected) < 1e-4


if __name__ == "__main__":
    main()
