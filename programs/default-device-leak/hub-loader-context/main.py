"""Model cache of a text service; models are loaded on first use."""

import contextlib
import logging
import time

import torch
from transformers import AutoModelForMaskedLM, BertConfig, BertForMaskedLM

log = logging.getLogger("cache")


class ModelCache:
    def __init__(self, low_memory=True):
        self._models = {}
        self._low_memory = low_memory

    def _context(self):
        # "do not allocate the random initial weights"
        return torch.device("meta") if self._low_memory else contextlib.nullcontext()

    def get(self, name):
        if name not in self._models:
            begin = time.perf_counter()
            with self._context():
                model = AutoModelForMaskedLM.from_pretrained(name)
            self._models[name] = model.to("cpu").eval()
            log.info("%s ready after %.2f s", name, time.perf_counter() - begin)
        return self._models[name]


def fill_mask(cache, name, ids, position):
    with torch.inference_mode():
        logits = cache.get(name)(torch.tensor([ids])).logits
    return logits[0, position].argmax().item()


def publish(name):
    torch.manual_seed(16)
    config = BertConfig(
        vocab_size=90, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    model = BertForMaskedLM(config).eval()
    model.save_pretrained(name)
    with torch.no_grad():
        return model(torch.tensor([[2, 50, 4, 9]])).logits[0, 2].argmax().item()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    want = publish("bert-forms")
    got = fill_mask(ModelCache(), "bert-forms", [2, 50, 4, 9], 2)
    log.info("token %d", got)
    assert got == want
