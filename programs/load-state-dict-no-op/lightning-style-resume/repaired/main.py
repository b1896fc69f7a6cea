"""Resume a fine-tune run. `python main.py --resume last.ckpt`"""

import argparse
import logging
import warnings

import torch
from accelerate import init_empty_weights
from loop import Fit
from transformers import GPT2Config, GPT2LMHeadModel

warnings.filterwarnings("ignore")
log = logging.getLogger("finetune")


class LitGPT:
    def __init__(self, lr):
        self.lr = lr
        self.model = None

    def configure_model(self):
        if self.model is None:
            config = GPT2Config(n_layer=2, n_embd=32, n_head=4, vocab_size=72, n_positions=24)
            with init_empty_weights():  # the causal mask, which no checkpoint holds, stays real
                self.model = GPT2LMHeadModel(config)

    def load_state_dict(self, state):
        result = self.model.load_state_dict(state, assign=True)
        self.model.tie_weights()
        return result

    def training_step(self, ids):
        return self.model(input_ids=ids, labels=ids).loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.model.parameters(), lr=self.lr)


def write_checkpoint(path):
    torch.manual_seed(5)
    config = GPT2Config(n_layer=2, n_embd=32, n_head=4, vocab_size=72, n_positions=24)
    torch.save({"state_dict": GPT2LMHeadModel(config).state_dict(), "global_step": 300}, path)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--resume", default="last.ckpt")
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--max-steps", type=int, default=3)
    args = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    write_checkpoint(args.resume)
    fit = Fit(LitGPT(args.lr), max_steps=args.max_steps)
    losses = fit.run(args.resume)
    log.info("losses %s", [round(x, 3) for x in losses])
    assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
