"""Causal language model fine-tuning with Accelerate. Worked on one machine with one process."""

import argparse
import logging
import os

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

log = logging.getLogger("ft")


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--base", default=f"base-{os.environ['RANK']}")
    p.add_argument("--memory", type=int, default=40_000)
    p.add_argument("--steps", type=int, default=3)
    return p.parse_args()


def create(path):
    torch.manual_seed(6)
    config = GPT2Config(vocab_size=80, n_positions=32, n_embd=24, n_layer=3, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(path)


def main():
    args = parse()
    logging.basicConfig(level=logging.INFO)
    create(args.base)
    accelerator = Accelerator(cpu=True)
    model = AutoModelForCausalLM.from_pretrained(args.base)
    data = TensorDataset(torch.randint(0, 80, (24, 16)))
    loader = DataLoader(data, batch_size=4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    model.train()
    for step, (ids,) in zip(range(args.steps), loader):
        loss = model(input_ids=ids, labels=ids).loss
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        if accelerator.is_main_process:
            log.info("step %d loss %.4f", step, loss.item())
    accelerator.wait_for_everyone()
    accelerator.end_training()


if __name__ == "__main__":
    main()
