"""Speculative decoding service: target and draft models are prepared side by side."""

import logging
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

import torch
from accelerate import init_empty_weights
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(threadName)s %(levelname)s %(message)s")
log = logging.getLogger("spec")


class LM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.head(self.tok(ids))


class Preparer:
    def __init__(self):
        self.sizes = queue.Queue()
        self.target_started = threading.Event()

    def target(self):
        with init_empty_weights():
            self.target_started.set()
            model = LM(40, 32)
            self.other = self.sizes.get()
        log.info("target skeleton ready, draft width %d", self.other)
        return model

    def draft(self, target):
        self.target_started.wait()
        with init_empty_weights():
            model = LM(40, 16)
            self.sizes.put(16)
            target.result()
        log.info("draft skeleton ready")
        return model


def main():
    prep = Preparer()
    with ThreadPoolExecutor(2, thread_name_prefix="prep") as pool:
        target = pool.submit(prep.target)
        draft = pool.submit(prep.draft, target)
        models = [target.result(), draft.result()]
    assert all(p.is_meta for m in models for p in m.parameters())
    verifier = nn.Linear(40, 1).to("cpu")
    with torch.no_grad():
        score = verifier(torch.ones(2, 40))
    assert score.isfinite().all()
    log.info("verifier ready %s", tuple(score.shape))


if __name__ == "__main__":
    main()
