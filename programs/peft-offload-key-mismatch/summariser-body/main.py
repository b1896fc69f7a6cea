"""Extractive summaries: score sentences with the body of a Qwen checkpoint and an adapter.

usage: main.py [--keep N]
"""

import argparse
import logging

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import Qwen2Config, Qwen2ForCausalLM, Qwen2Model

log = logging.getLogger("summary")


def create(base="qwen-mini", adapter="scorer"):
    torch.manual_seed(90)
    config = Qwen2Config(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
    )
    Qwen2ForCausalLM(config).save_pretrained(base)
    lora = LoraConfig(r=2, target_modules=["q_proj", "k_proj"], init_lora_weights=False)
    get_peft_model(Qwen2Model.from_pretrained(base), lora).save_pretrained(adapter)
    return base, adapter


class Scorer:
    layers_in_memory = 1

    def __init__(self, base, adapter):
        places = {"embed_tokens": "cpu", "norm": "cpu", "rotary_emb": "cpu"}
        for i in range(3):
            places[f"layers.{i}"] = "cpu" if i < self.layers_in_memory else "disk"
        body = Qwen2Model.from_pretrained(base, device_map=places, offload_folder="spill")
        self.model = PeftModel.from_pretrained(body, adapter, low_cpu_mem_usage=True).eval()

    @torch.no_grad()
    def score(self, ids):
        return self.model(input_ids=ids).last_hidden_state.norm(dim=-1).mean().item()


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--keep", type=int, default=2)
    keep = cli.parse_args().keep
    logging.basicConfig(level=logging.INFO)
    scorer = Scorer(*create())
    sentences = [torch.randint(0, 64, (1, n), generator=torch.Generator().manual_seed(n)) for n in (4, 7, 9)]
    scores = [scorer.score(sentence) for sentence in sentences]
    best = sorted(range(3), key=scores.__getitem__)[-keep:]
    log.info("keep %s", best)


if __name__ == "__main__":
    main()
