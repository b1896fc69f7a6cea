"""LoRA fine-tuning; the recipe was written for Llama and is used with GPT-2."""

import argparse
import logging

import torch
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("lora")
RECIPE = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "k_proj", "v_proj", "o_proj"]}


def base():
    torch.manual_seed(0)
    return GPT2LMHeadModel(GPT2Config(n_layer=1, n_embd=16, n_head=2, vocab_size=30, n_positions=16))


def tune(model, steps, lr):
    opt = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=lr)
    ids = torch.arange(12).reshape(2, 6)
    for step in range(steps):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        opt.step()
        opt.zero_grad()
        log.info("step %d loss %.4f", step, loss.item())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=2)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model = get_peft_model(base(), LoraConfig(**RECIPE))
    model.print_trainable_parameters()
    tune(model, args.steps, args.lr)
    model.save_pretrained("adapter")


if __name__ == "__main__":
    main()
