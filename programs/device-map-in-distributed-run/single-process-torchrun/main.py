"""torchrun --nproc-per-node 1 main.py: continue pretraining of a GPT-2."""

import logging
import os

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2Model

logging.basicConfig(level=logging.INFO, format="[%(levelname)s] %(message)s")
logger = logging.getLogger("continue")


def base(path):
    torch.manual_seed(0)
    GPT2Model(GPT2Config(vocab_size=70, n_positions=24, n_embd=16, n_layer=2, n_head=2)).save_pretrained(path)


def load(path):
    logger.info("rank %s of %s", os.environ.get("RANK"), os.environ.get("WORLD_SIZE"))
    return AutoModelForCausalLM.from_pretrained(path, device_map="auto")


def main():
    base("gpt2-base")
    model = load("gpt2-base")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    ids = torch.randint(0, 70, (4, 12))
    losses = []
    for step in range(4):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        logger.info("step %d loss %.3f", step, losses[-1])
    assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
