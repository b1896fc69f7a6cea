"""Add adapters to any causal model and count what is trainable."""

import argparse
import logging

import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

log = logging.getLogger("adapt")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", default="gpt2-base")
    parser.add_argument("--targets", nargs="+", default=["q_proj", "v_proj"])
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=40, n_positions=16, n_embd=16, n_layer=2, n_head=2)
    GPT2LMHeadModel(config).save_pretrained(args.base)
    model = AutoModelForCausalLM.from_pretrained(args.base, low_cpu_mem_usage=True)
    log.info("devices %s", {p.device.type for p in model.parameters()})
    config = LoraConfig(task_type=TaskType.CAUSAL_LM, r=4, target_modules=args.targets)
    model = get_peft_model(model, config)
    model.print_trainable_parameters()


if __name__ == "__main__":
    main()
