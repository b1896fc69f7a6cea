"""Two days of a chat bot: python main.py"""

import gc
import logging
import sys

import bot
import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM


def files(base, persona):
    torch.manual_seed(60)
    config = LlamaConfig(
        vocab_size=70, hidden_size=32, intermediate_size=48, num_hidden_layers=3, num_attention_heads=4
    )
    LlamaForCausalLM(config).save_pretrained(base)
    lora = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    get_peft_model(LlamaForCausalLM.from_pretrained(base), lora).save_pretrained(persona)


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    files("base", "persona")
    prompt = torch.tensor([[5, 9, 2, 33]])
    replies = []
    for day in ("monday", "tuesday"):
        model = bot.start("base", "persona")
        replies.append(bot.reply(model, prompt))
        logging.info("%s: %s", day, replies[-1])
        del model
        gc.collect()
    if replies[0] != replies[1]:
        logging.error("the bot answers otherwise than yesterday")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
