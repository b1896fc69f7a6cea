"""Inference sidecar. Loads by hand to keep start-up under a second."""

import logging
import time
from pathlib import Path

import torch
from accelerate import init_empty_weights
from safetensors.torch import load_file
from transformers import BloomConfig, BloomForCausalLM

log = logging.getLogger("sidecar")
CONFIG = BloomConfig(vocab_size=80, hidden_size=32, n_layer=2, n_head=4)
MODEL_DIR = Path("bloom-tiny")


def provision():
    torch.manual_seed(8)
    model = BloomForCausalLM(CONFIG).eval()
    model.save_pretrained(MODEL_DIR)
    return model


def fast_load(device):
    began = time.monotonic()
    with init_empty_weights():
        model = BloomForCausalLM(CONFIG)
    result = model.load_state_dict(load_file(MODEL_DIR / "model.safetensors"), strict=False, assign=True)
    log.info("missing %s, unexpected %s", result.missing_keys, result.unexpected_keys)
    model = model.to(device).eval()
    log.info("ready after %.2f s", time.monotonic() - began)
    return model


def handle(model, request):
    with torch.inference_mode():
        logits = model(torch.tensor([request["tokens"]])).logits[0, -1]
    return {"id": request["id"], "token": int(logits.argmax())}


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(name)s | %(message)s")
    reference = provision()
    sidecar = fast_load(torch.device("cpu"))
    request = {"id": 1, "tokens": [4, 44, 14]}
    response = handle(sidecar, request)
    log.info("%s", response)
    assert response == handle(reference, request)
