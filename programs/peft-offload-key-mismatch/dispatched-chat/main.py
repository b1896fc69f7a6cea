"""A chat loop over token ids; messages come from standard input or the list below."""

import logging
import sys

import torch
from model import build
from peft import LoraConfig, get_peft_model
from transformers import MistralConfig, MistralForCausalLM

MESSAGES = [[4, 8, 15], [16, 23, 42]]


def write(base, adapter):
    torch.manual_seed(7)
    config = MistralConfig(
        vocab_size=60,
        hidden_size=32,
        intermediate_size=40,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
    )
    MistralForCausalLM(config).save_pretrained(base)
    lora = LoraConfig(r=2, target_modules=["q_proj", "o_proj"], init_lora_weights=False)
    get_peft_model(MistralForCausalLM.from_pretrained(base), lora).save_pretrained(adapter)


def main():
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s|%(name)s|%(message)s")
    write("mistral-mini", "manners")
    model = build("mistral-mini", "manners", "spill")
    for message in MESSAGES:
        try:
            with torch.no_grad():
                word = model(input_ids=torch.tensor([message])).logits[0, -1].argmax().item()
        except KeyError:
            logging.exception("no answer to %s", message)
            return 1
        print(message, "->", word)
    return 0


if __name__ == "__main__":
    sys.exit(main())
