"""Open every model folder below a directory and print its size."""

import argparse
import json
import pathlib

from accelerate import init_empty_weights
from transformers import AutoConfig, AutoModel

CODE = """
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class TinyConfig(PretrainedConfig):
    model_type = "tiny_custom"


class TinyModel(PreTrainedModel):
    config_class = TinyConfig

    def __init__(self, config):
        super().__init__(config)
        self.fc = nn.Linear(4, 4)
"""


def install(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tiny.py").write_text(CODE)
    auto_map = {"AutoConfig": "tiny.TinyConfig", "AutoModel": "tiny.TinyModel"}
    (folder / "config.json").write_text(json.dumps({"model_type": "tiny_custom", "auto_map": auto_map}))


def size(folder, trust):
    config = AutoConfig.from_pretrained(folder, trust_remote_code=trust)
    with init_empty_weights():
        model = AutoModel.from_config(config, trust_remote_code=trust)
    return sum(p.numel() for p in model.parameters())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--root", type=pathlib.Path, default=pathlib.Path("models"))
    ap.add_argument("--trust", action="store_true")
    args = ap.parse_args()
    install(args.root / "custom")
    for folder in sorted(args.root.iterdir()):
        print(folder.name, size(folder, args.trust))


if __name__ == "__main__":
    main()
