"""Shard-wise loader for a GPT-like model."""

import glob
import json
import sys

import torch
from lm import MiniLM, save_shards
from safetensors.torch import load_file

FOLDER = "ckpt"


def shard_files(folder):
    return sorted(glob.glob(f"{folder}/model-*-of-*.safetensors"))


def load_sharded(folder):
    with torch.device("meta"):
        model = MiniLM()
    seen = 0
    for path in shard_files(folder):
        state = load_file(path)
        model.load_state_dict(state, strict=False, assign=True)
        seen += len(state)
        print(json.dumps({"event": "shard", "file": path, "tensors": len(state)}))
    left = [n for n, p in model.named_parameters() if p.is_meta]
    assert not left, left
    print(json.dumps({"event": "loaded", "tensors": seen}))
    return model.eval()


def main():
    save_shards(FOLDER)
    model = load_sharded(FOLDER)
    ids = torch.tensor([[3, 1, 4, 1, 5, 9]])
    with torch.no_grad():
        logits = model(ids)
        want = MiniLM.reference()(ids)
    if not torch.allclose(logits, want, atol=1e-5):
        sys.exit("logits differ from the reference")
    print(json.dumps({"event": "ok", "next": int(logits[0, -1].argmax())}))


if __name__ == "__main__":
    main()
