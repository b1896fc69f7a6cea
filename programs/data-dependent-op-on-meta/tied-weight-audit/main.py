"""audit.py - list the tied weights of every architecture in the catalogue."""

import itertools
import logging
import sys

import torch
from transformers import AutoModelForCausalLM, GPT2Config, LlamaConfig

CATALOGUE = {
    "gpt2-like": GPT2Config(vocab_size=60, n_positions=16, n_embd=16, n_layer=1, n_head=2),
    "llama-like": LlamaConfig(
        vocab_size=60,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
    ),
}
log = logging.getLogger("audit")


def same(a, b):
    return a.shape == b.shape and torch.equal(a, b)


def tied(config):
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    named = list(model.named_parameters(remove_duplicate=False))
    return [(n, m) for (n, a), (m, b) in itertools.combinations(named, 2) if same(a, b)]


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stdout)
    report, failures = {}, 0
    for name, config in CATALOGUE.items():
        try:
            report[name] = tied(config)
            log.info("%s: %s", name, report[name] or "nothing is tied")
        except Exception as e:
            failures += 1
            log.error("%s: audit failed: %s", name, e, exc_info=True)
    if failures:
        return 1
    assert len(report["gpt2-like"]) == 1
    assert report["llama-like"] == []
    return 0


if __name__ == "__main__":
    sys.exit(main())
