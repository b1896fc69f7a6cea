"""bot.py: answers on the terminal."""

import argparse
import logging

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from cache import CACHE, downloaded
from transformers import AutoConfig, AutoModelForCausalLM

logging.basicConfig(level=logging.INFO, format="[%(levelname)s] %(message)s")


class Bot:
    def __init__(self, model_id, device="cpu"):
        self.model_id = model_id
        config = AutoConfig.from_pretrained(model_id, cache_dir=CACHE, local_files_only=True)
        with init_empty_weights():
            model = AutoModelForCausalLM.from_config(config)
        model.tie_weights()
        logging.info("fetching weights of %s", model_id)
        self.model = load_checkpoint_and_dispatch(
            model, model_id, device_map={"": device}, no_split_module_classes=["LlamaDecoderLayer"]
        ).eval()

    def reply(self, tokens, length):
        ids = torch.tensor([tokens])
        with torch.no_grad():
            out = self.model.generate(ids, max_new_tokens=length, do_sample=False)
        return out[0, len(tokens) :].tolist()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model-id", default="harbour/tiny-llama")
    parser.add_argument("--length", type=int, default=3)
    args = parser.parse_args()
    original = downloaded(args.model_id)
    bot = Bot(args.model_id)
    words = bot.reply([1, 9, 9], args.length)
    print("bot:", *words)
    assert words[0] == int(original(torch.tensor([[1, 9, 9]])).logits[0, -1].argmax())
