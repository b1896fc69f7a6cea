"""Fit a language model module with a Lightning-like trainer."""

import logging
import sys

import torch
from mini_trainer import Trainer
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("lm")


class LitLM:
    def __init__(self, config, checkpoint):
        self.config, self.checkpoint = config, checkpoint
        self.model = None

    def configure_model(self):
        with torch.device("meta"):
            self.model = GPT2LMHeadModel(self.config)

    def configure_optimizers(self):
        return torch.optim.SGD(self.model.parameters(), lr=0.5)

    def on_load_checkpoint(self):
        state = torch.load(self.checkpoint, weights_only=True)
        torch.__future__.set_swap_module_params_on_conversion(True)
        self.model.load_state_dict(state, assign=True)
        torch.__future__.set_swap_module_params_on_conversion(False)
        self.model.requires_grad_(True)
        self.model.tie_weights()

    def training_step(self, ids):
        return self.model(input_ids=ids, labels=ids).loss


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(name)s | %(message)s")
    config = GPT2Config(
        n_layer=1,
        n_embd=24,
        n_head=2,
        vocab_size=40,
        n_positions=16,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
    )
    torch.manual_seed(29)
    torch.save(GPT2LMHeadModel(config).state_dict(), "lm.pt")
    module = LitLM(config, "lm.pt")
    losses = Trainer(max_steps=6).fit(module, torch.arange(24).reshape(2, 12))
    log.info("train loss %s", [round(v, 3) for v in losses])
    if losses[-1] > losses[0] - 0.05:
        log.error("training loss did not improve, stopping the sweep")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
