"""Compare two adapters of one base on held-out rows: main.py [--rows N]"""

import argparse
import sys

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

BASE = "gpt2-mini"
SPLIT = {"transformer.wte": "cpu", "transformer.wpe": "cpu", "transformer.drop": "cpu", "lm_head": "cpu"}
SPLIT |= {"transformer.h.0": "cpu", "transformer.h.1": "disk", "transformer.ln_f": "cpu"}


def make(names):
    torch.manual_seed(14)
    config = GPT2Config(
        vocab_size=48, n_embd=24, n_layer=2, n_head=2, n_positions=24, tie_word_embeddings=False
    )
    GPT2LMHeadModel(config).save_pretrained(BASE)
    for name in names:
        lora = LoraConfig(r=2, target_modules=["c_attn"], fan_in_fan_out=True, init_lora_weights=False)
        get_peft_model(GPT2LMHeadModel.from_pretrained(BASE), lora).save_pretrained(name)


def with_adapter(name):
    base = GPT2LMHeadModel.from_pretrained(BASE, device_map=SPLIT, offload_folder="spill")
    places = {f"base_model.model.{part}": place for part, place in SPLIT.items()}
    return PeftModel.from_pretrained(base, name, device_map=places, low_cpu_mem_usage=True).eval()


@torch.no_grad()
def loss(model, rows):
    return sum(model(input_ids=row, labels=row).loss.item() for row in rows) / len(rows)


def baseline(rows):
    return loss(GPT2LMHeadModel.from_pretrained(BASE).eval(), rows)


def main():
    cli = argparse.ArgumentParser(description=__doc__)
    cli.add_argument("--rows", type=int, default=3)
    args = cli.parse_args()
    make(["adapter-a", "adapter-b"])
    source = torch.Generator().manual_seed(2)
    rows = [torch.randint(0, 48, (1, 12), generator=source) for _ in range(args.rows)]
    before = baseline(rows)
    table = {name: loss(with_adapter(name), rows) for name in ("adapter-a", "adapter-b")}
    after = baseline(rows)
    for name, value in table.items():
        print(f"{name}  {value:.3f}")
    print("baseline moved" if abs(before - after) > 1e-6 else "baseline stands")
    return int(abs(before - after) > 1e-6)


if __name__ == "__main__":
    sys.exit(main())
