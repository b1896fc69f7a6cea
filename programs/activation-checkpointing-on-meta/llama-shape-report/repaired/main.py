"""Shapes of all hidden states, for the documentation of a run."""

import logging

import torch
from transformers import LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
log = logging.getLogger("shapes")


class Run:
    def __init__(self, layers, gradient_checkpointing=True):
        config = LlamaConfig(
            vocab_size=100,
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=layers,
            num_attention_heads=4,
            use_cache=False,
        )
        with torch.device("meta"):
            self.model = LlamaForCausalLM(config)
        if gradient_checkpointing:
            self.model.gradient_checkpointing_enable()
        self.model.train()

    def shapes(self, batch, length):
        ids = torch.zeros(batch, length, dtype=torch.long, device="meta")
        output = self.model(input_ids=ids, output_hidden_states=True)
        return [tuple(state.shape) for state in output.hidden_states]


def report(run):
    try:
        return run.shapes(2, 6)
    except Exception:
        log.exception("no report for this run")
        raise SystemExit(1) from None


shapes = report(Run(layers=2, gradient_checkpointing=False))
for number, shape in enumerate(shapes):
    log.info("state %d: %s", number, shape)
assert shapes == [(2, 6, 32)] * 3
