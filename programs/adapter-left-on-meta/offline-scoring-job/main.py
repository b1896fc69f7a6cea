"""score.py --adapter out/adapter < rows"""

import argparse
import logging
import sys

import torch
from loader import open_adapter
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel


def previous_job(adapter):
    torch.manual_seed(20)
    config = GPT2Config(
        vocab_size=64, n_positions=32, n_embd=32, n_layer=4, n_head=2, tie_word_embeddings=False
    )
    base = GPT2LMHeadModel(config)
    base.save_pretrained("out/base")
    base = GPT2LMHeadModel.from_pretrained("out/base")
    lora = LoraConfig(r=2, target_modules=["c_attn"], fan_in_fan_out=True, init_lora_weights=False)
    tuned = get_peft_model(base, lora).eval()
    tuned.save_pretrained(adapter)
    return tuned


@torch.no_grad()
def score(model, row):
    ids = torch.tensor([row])
    return round(model(input_ids=ids, labels=ids).loss.item(), 4)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--adapter", default="out/adapter")
    parser.add_argument("--memory", default="150KB")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)-8s %(name)s %(message)s")
    tuned = previous_job(args.adapter)
    rows = torch.randint(0, 64, (3, 10)).tolist()
    expected = [score(tuned, row) for row in rows]
    model = open_adapter(args.adapter, args.memory)
    scores = [score(model, row) for row in rows]
    print(scores)
    return scores != expected


if __name__ == "__main__":
    sys.exit(main())
