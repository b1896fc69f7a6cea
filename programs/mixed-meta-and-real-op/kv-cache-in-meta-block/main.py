"""Incremental decoding with a preallocated cache."""

import argparse
import logging
import time

import torch
from cached import CachedDecoder

log = logging.getLogger("decode")


def save(path):
    torch.manual_seed(6)
    model = CachedDecoder().eval()
    torch.save(model.state_dict(), path)
    return model


def load(path, batch):
    start = time.monotonic()
    with torch.device("meta"):
        model = CachedDecoder()
        model.allocate(batch)
    model.load_state_dict(torch.load(path, weights_only=True), assign=True)
    log.info("loaded in %.3f s, cache for %d sequences", time.monotonic() - start, batch)
    return model.eval()


@torch.inference_mode()
def decode(model, ids, n):
    out = ids
    step = ids
    position = 0
    for _ in range(n):
        logits = model(step, position)
        position += step.shape[1]
        step = logits[:, -1:].argmax(-1)
        out = torch.cat([out, step], 1)
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="decoder.pt")
    ap.add_argument("-n", type=int, default=4)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    reference = save(args.weights)
    reference.allocate(1)
    model = load(args.weights, batch=1)
    prompt = torch.tensor([[2, 4, 6]])
    out = decode(model, prompt, args.n)
    log.info("output %s", out.tolist())
    assert torch.equal(out, decode(reference, prompt, args.n))


if __name__ == "__main__":
    main()
