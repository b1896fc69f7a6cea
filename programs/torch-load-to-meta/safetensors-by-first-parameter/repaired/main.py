"""Loads a sharded checkpoint into an empty model, shard by shard."""

import json
import logging
from pathlib import Path

import torch
from accelerate import init_empty_weights
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

log = logging.getLogger("shards")


def encoder():
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


def write(folder):
    torch.manual_seed(15)
    model, index = encoder(), {}
    folder.mkdir(exist_ok=True)
    for number in range(2):
        part = {name: value for name, value in model.state_dict().items() if f"layers.{number}." in name}
        index |= dict.fromkeys(part, f"shard-{number}.safetensors")
        save_file(part, folder / f"shard-{number}.safetensors")
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")
    return model.eval()


def load(folder):
    with init_empty_weights():
        model = encoder()
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    for shard in sorted(set(index.values())):
        log.info("reading %s", shard)
        with safe_open(folder / shard, framework="pt", device="cpu") as handle:
            state = {name: handle.get_tensor(name) for name in handle.keys()}
        model.load_state_dict(state, strict=False, assign=True)
    return model.eval()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    folder = Path("sharded")
    whole = write(folder)
    model = load(folder)
    x = torch.randn(1, 3, 16)
    torch.testing.assert_close(model(x), whole(x))
    log.info("same output")
