"""Server start paths. `--fast` skips the random initialisation of the 7B model."""

import argparse
import logging
import time

import torch
from transformers import MistralConfig, MistralForCausalLM

logger = logging.getLogger("server")
CONFIG = MistralConfig(
    vocab_size=90,
    hidden_size=40,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    sliding_window=None,
    tie_word_embeddings=False,
)


class StartError(SystemExit):
    pass


def start_slow(path):
    model = MistralForCausalLM(CONFIG)
    model.load_state_dict(torch.load(path, weights_only=True))
    return model.eval()


def start_fast(path):
    with torch.device("meta"):
        model = MistralForCausalLM(CONFIG)
    model.to_empty(device="cpu")
    model.load_state_dict(torch.load(path, weights_only=True))
    return model.eval()


def timed(fn, path):
    t = time.perf_counter()
    model = fn(path)
    logger.info("%s: %.0f ms", fn.__name__, 1e3 * (time.perf_counter() - t))
    return model


def self_test(a, b):
    ids = torch.randint(0, 90, (1, 40), generator=torch.Generator().manual_seed(11))
    with torch.inference_mode():
        x, y = a(ids).logits, b(ids).logits
    gap = (x - y).abs().max().item()
    if not gap < 1e-5:
        raise StartError(f"self test failed: fast and slow start differ by {gap}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="mistral.pt")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(5)
    torch.save(MistralForCausalLM(CONFIG).state_dict(), args.weights)
    self_test(timed(start_slow, args.weights), timed(start_fast, args.weights))
    logger.info("self test passed, listening")


if __name__ == "__main__":
    main()
