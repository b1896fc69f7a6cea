"""Embed a corpus with worker processes."""

import argparse
import logging
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import torch
from embedder import Embedder, publish

logging.basicConfig(level=logging.INFO, format="%(processName)s %(levelname)s %(message)s")
log = logging.getLogger("corpus")
MODEL = None


def start_worker(weights, device):
    global MODEL
    torch.set_num_threads(1)
    MODEL = (weights, device, None)


def model():
    global MODEL
    weights, device, net = MODEL
    if net is None:
        with torch.device("meta"):
            net = Embedder()
        log.info("embedder built on %s for %s", net.table.weight.device, weights)
        state = torch.load(weights, map_location=device, weights_only=True)
        net.load_state_dict(state, assign=True)
        net.eval()
        MODEL = (weights, device, net)
    return net


def embed(lines):
    with torch.no_grad():
        return model()(torch.tensor(lines)).tolist()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="embedder.pt")
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--workers", type=int, default=1)
    args = ap.parse_args()
    reference = publish(args.weights)
    batches = [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 1, 1]]]
    with ProcessPoolExecutor(
        args.workers,
        mp_context=multiprocessing.get_context("fork"),
        initializer=start_worker,
        initargs=(args.weights, args.device),
    ) as pool:
        vectors = [v for part in pool.map(embed, batches) for v in part]
    want = reference(torch.tensor(batches).flatten(0, 1))
    assert torch.allclose(torch.tensor(vectors), want, atol=1e-6)
    log.info("%d vectors", len(vectors))


if __name__ == "__main__":
    main()
