"""Models by name, each loaded once."""

import functools
import pathlib

import torch
from transformers import AutoModelForCausalLM, BertTokenizerFast, GPT2Config, GPT2LMHeadModel

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] red green blue cyan".split()


class Registry:
    root = pathlib.Path("registry")

    def prepare(self, name):
        folder = self.root / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
        torch.manual_seed(1)
        config = GPT2Config(
            vocab_size=len(WORDS), n_embd=16, n_layer=2, n_head=2, n_positions=32, tie_word_embeddings=False
        )
        GPT2LMHeadModel(config).save_pretrained(folder)
        return folder

    @functools.cache
    def get(self, name):
        folder = self.prepare(name)
        places = {"transformer": "cpu", "lm_head": "disk"}
        model = AutoModelForCausalLM.from_pretrained(
            folder, device_map=places, offload_folder=str(folder / "spill")
        )
        return model, BertTokenizerFast(str(folder / "vocab.txt"), pad_token="[PAD]")


registry = Registry()
