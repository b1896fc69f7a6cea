"""Place a causal model on several devices by a table."""

import argparse
import json
import logging

import torch
from accelerate import init_empty_weights
from accelerate.utils import set_module_tensor_to_device
from safetensors.torch import load_file, save_model
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("placement")
CONFIG = GPT2Config(n_layer=2, n_embd=24, n_head=2, vocab_size=48, n_positions=16, tie_word_embeddings=False)


def write_weights(path):
    torch.manual_seed(13)
    save_model(GPT2LMHeadModel(CONFIG), path)


def device_of(name, table):
    for prefix, device in table.items():
        if name.startswith(prefix):
            return device
    raise KeyError(name)


def place(model, path, table):
    state = load_file(path)
    log.info("%d tensors in %s", len(state), path)
    for name in state:
        device = device_of(name, table)
        set_module_tensor_to_device(model, name, device)
        log.debug("%s -> %s", name, device)
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="gpt2.safetensors")
    ap.add_argument("--table", type=json.loads, default={"transformer": "cpu", "lm_head": "cpu"})
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    write_weights(args.weights)
    with init_empty_weights():
        model = GPT2LMHeadModel(CONFIG)
    model = place(model, args.weights, args.table).eval()
    ids = torch.tensor([[1, 2, 3]])
    torch.manual_seed(13)
    want = GPT2LMHeadModel(CONFIG).eval()(ids).logits
    with torch.no_grad():
        assert torch.allclose(model(ids).logits, want, atol=1e-5)
    log.info("placed")


if __name__ == "__main__":
    main()
