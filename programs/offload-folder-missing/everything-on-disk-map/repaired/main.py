"""Count how slow it gets: run a model from disk, from memory, and compare."""

import argparse
import logging
import tempfile
import time

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import save_file
from transformers import GPT2Config, GPT2Model

log = logging.getLogger("bench")
CONFIG = GPT2Config(n_layer=2, n_embd=32, n_head=2, vocab_size=50, n_positions=16)


def write(path):
    torch.manual_seed(35)
    model = GPT2Model(CONFIG).eval()
    save_file(model.state_dict(), path, metadata={"format": "pt"})


def device_map(place):
    if place == "disk":
        return {"wte": "disk", "wpe": "cpu", "drop": "cpu", "h": "disk", "ln_f": "cpu"}
    return {"": "cpu"}


def load(path, place, folder):
    with init_empty_weights():
        model = GPT2Model(CONFIG)
    return load_checkpoint_and_dispatch(
        model, path, device_map=device_map(place), offload_folder=folder
    ).eval()


@torch.no_grad()
def measure(model, ids, rounds):
    start = time.perf_counter()
    for _ in range(rounds):
        out = model(ids).last_hidden_state
    return out, (time.perf_counter() - start) / rounds


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--file", default="gpt2-body.safetensors")
    ap.add_argument("--rounds", type=int, default=2)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    write(args.file)
    ids = torch.tensor([[3, 5, 8, 13]])
    outs = {}
    for place in ("cpu", "disk"):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            model = load(args.file, place, folder)
            outs[place], seconds = measure(model, ids, args.rounds)
            log.info("%-4s %.1f ms per pass", place, 1e3 * seconds)
    assert torch.allclose(outs["cpu"], outs["disk"], atol=1e-5)


if __name__ == "__main__":
    main()
