"""Benchmark harness: one factory per model, errors end in the results table."""

import csv
import logging
import sys

import torch
from segmenter import Segmenter, SegmenterConfig

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("bench")
FACTORIES = {}


def factory(function):
    FACTORIES[function.__name__] = function
    return function


@factory
def window_segmenter(folder):
    return Segmenter.from_pretrained(folder).eval()


def run(name, folder, batch):
    try:
        model = FACTORIES[name](folder)
        with torch.inference_mode():
            return "ok", model(batch).argmax(-1)
    except Exception as e:
        log.exception("%s failed", name)
        return f"{type(e).__name__}: {e}", None


if __name__ == "__main__":
    torch.manual_seed(92)
    original = Segmenter(SegmenterConfig()).eval()
    original.save_pretrained("segmenter")
    batch = torch.randn(2, 9, 12)
    status, mask = run("window_segmenter", "segmenter", batch)
    csv.writer(sys.stdout).writerow(["window_segmenter", status])
    sys.exit(mask is None or not torch.equal(mask, original(batch).argmax(-1)))
