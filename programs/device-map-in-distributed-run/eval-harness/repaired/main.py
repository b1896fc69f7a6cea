import argparse
import logging
import os

import torch
from harness import HFModel
from transformers import LlamaConfig, LlamaForCausalLM


def tiny(path):
    torch.manual_seed(24)
    config = LlamaConfig(
        vocab_size=64,
        hidden_size=24,
        intermediate_size=48,
        num_hidden_layers=3,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    LlamaForCausalLM(config).save_pretrained(path)


def main():
    parser = argparse.ArgumentParser("harness")
    parser.add_argument("--model", default=f"tiny-{os.environ['RANK']}")
    parser.add_argument("--parallelize", action=argparse.BooleanOptionalAction, default=False)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    tiny(args.model)
    model = HFModel(args.model, parallelize=args.parallelize)
    requests = list(torch.randint(0, 64, (4, 9), generator=torch.Generator().manual_seed(5)))
    values = model.loglikelihood(requests)
    if model.accelerator.is_main_process:
        print("loglikelihood", [round(v, 3) for v in values])
    assert len(values) == 4
    model.accelerator.wait_for_everyone()
    model.accelerator.end_training()


main()
