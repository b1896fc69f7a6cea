"""Translates with a T5 from the hub's cache."""

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from cache import CACHE, downloaded
from huggingface_hub import snapshot_download
from transformers import AutoConfig, AutoModelForSeq2SeqLM

MODEL = "lingua/t5-crumb"


class Translator:
    def __init__(self, model):
        self.model = model

    def run(self, text):
        ids = torch.tensor([[int(word) for word in text.split()]])
        with torch.no_grad():
            return self.model.generate(ids, max_new_tokens=4, do_sample=False)[0].tolist()


def setup():
    original = downloaded(MODEL)
    source = snapshot_download(MODEL, cache_dir=CACHE, local_files_only=True)
    config = AutoConfig.from_pretrained(MODEL, cache_dir=CACHE, local_files_only=True)
    with init_empty_weights():
        model = AutoModelForSeq2SeqLM.from_config(config)
    model.tie_weights()
    model = load_checkpoint_and_dispatch(model, checkpoint=source, device_map={"": "cpu"})
    translator = Translator(model.eval())
    assert translator.run("17 3 5") == Translator(original).run("17 3 5")
    return translator
