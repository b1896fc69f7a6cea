"""Supervised fine-tuning with speculative evaluation: the draft model only generates."""

import os
import sys

import torch
from datatools import samples
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, TrainingArguments

os.environ.setdefault("WANDB_DISABLED", "true")
DEEPSPEED = {
    "zero_optimization": {"stage": 3, "stage3_gather_16bit_weights_on_model_save": True},
    "gradient_accumulation_steps": "auto",
    "train_micro_batch_size_per_gpu": "auto",
    "train_batch_size": "auto",
}


def checkpoint(path):
    torch.manual_seed(33)
    config = LlamaConfig(
        vocab_size=50, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2
    )
    LlamaForCausalLM(config).save_pretrained(path)
    return path


def arguments():
    return TrainingArguments(
        output_dir="out",
        per_device_train_batch_size=2,
        max_steps=4,
        report_to=[],
        use_cpu=True,
        deepspeed=DEEPSPEED,
    )


def draft_model(path):
    print("loading draft model", file=sys.stderr)
    return AutoModelForCausalLM.from_pretrained(path, device_map="auto").eval()


def main():
    path = checkpoint("draft-tiny")
    draft = draft_model(path)
    args = arguments()
    for prompt in samples(args.max_steps):
        text = draft.generate(prompt, max_new_tokens=3, do_sample=False, pad_token_id=0)
        print(text[0, -3:].tolist())


if __name__ == "__main__":
    main()
