"""Answer the prompts of a file with a model that partly lives on disk."""

import json
import logging
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")


def model(path):
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
    LlamaForCausalLM(LlamaConfig(vocab_size=40, **sizes)).save_pretrained(path)
    places = {"model": "cpu", "lm_head": "disk"}
    return AutoModelForCausalLM.from_pretrained(path, device_map=places, offload_folder="spill").eval()


def prompts(path):
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)["ids"]


def main():
    Path("prompts.jsonl").write_text('{"ids": [4, 5]}\n{"ids": [7, 8,]}\n', encoding="utf-8")
    answer = model("llama-spilled")
    with torch.no_grad():
        for ids in prompts("prompts.jsonl"):
            logging.info("next token %d", answer(input_ids=torch.tensor([ids])).logits[0, -1].argmax())


if __name__ == "__main__":
    main()
