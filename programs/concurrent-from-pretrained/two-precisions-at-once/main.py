"""Compare float32 and bfloat16 outputs of one checkpoint. Loads overlap to save time."""

import collections
import sys
import threading

import torch
from transformers import AutoModel, BertConfig, BertModel

PATH = "bert-compare"


class Loader(threading.Thread):
    def __init__(self, dtype):
        super().__init__(name=str(dtype))
        self.dtype, self.model, self.error = dtype, None, None

    def run(self):
        try:
            self.model = AutoModel.from_pretrained(PATH, dtype=self.dtype).eval()
        except Exception as e:
            self.error = e


def load_both(repeat):
    loaders = [Loader(d) for _ in range(repeat) for d in (torch.float32, torch.bfloat16)]
    for loader in loaders:
        loader.start()
    for loader in loaders:
        loader.join()
        if loader.error:
            raise loader.error
    return loaders


def mixed(loader):
    found = collections.Counter(str(t.dtype) for t in loader.model.parameters())
    return dict(found) if set(found) != {str(loader.dtype)} else None


def main():
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=120,
        hidden_size=48,
        num_hidden_layers=6,
        num_attention_heads=4,
        intermediate_size=96,
    )
    BertModel(config).save_pretrained(PATH)
    bad = 0
    for attempt in range(4):
        for loader in load_both(3):
            found = mixed(loader)
            if found:
                bad += 1
                print(f"attempt {attempt}: asked for {loader.dtype}, got {found}")
        plain = torch.nn.Linear(2, 2).weight.dtype
        print(f"attempt {attempt}: new layers are {plain}")
        if plain != torch.float32:
            bad += 1
    if bad:
        print(f"{bad} models have weights of another dtype than asked for")
        sys.exit(1)


main()
