"""Sentence features by task, as a service object with settings from the environment."""

import json
import os
import time
from functools import cached_property
from pathlib import Path

import torch
from transformers import BertConfig, BertModel, BertTokenizerFast, FeatureExtractionPipeline

SETTINGS = {"device": os.environ.get("FEATURE_DEVICE", "cpu"), "spill": ["encoder.layer.1", "pooler"]}


def assets(folder):
    folder.mkdir(exist_ok=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "up", "down", "left", "right"]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}
    torch.manual_seed(9)
    BertModel(BertConfig(vocab_size=len(words), max_position_embeddings=16, **shape)).save_pretrained(folder)


class Features:
    def __init__(self, folder, settings):
        self.folder, self.settings = folder, settings
        self.started = time.monotonic()

    @cached_property
    def extract(self):
        places = dict.fromkeys(["embeddings", "encoder.layer.0", "encoder.layer.1", "pooler"], "cpu")
        places.update(dict.fromkeys(self.settings["spill"], "disk"))
        model = BertModel.from_pretrained(self.folder, device_map=places, offload_folder="spill")
        return FeatureExtractionPipeline(
            model=model,
            tokenizer=BertTokenizerFast(str(self.folder / "vocab.txt")),
            device=torch.device(self.settings["device"]),
        )

    def __call__(self, text):
        return self.extract(text, return_tensors=True)[0].mean(0)


def main():
    folder = Path("features")
    assets(folder)
    service = Features(folder, SETTINGS)
    result = {text: round(service(text).norm().item(), 3) for text in ("up left", "down")}
    print(json.dumps({"device": SETTINGS["device"], "norms": result}))


if __name__ == "__main__":
    main()
