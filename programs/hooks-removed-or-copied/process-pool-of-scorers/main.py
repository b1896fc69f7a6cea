"""Score rows in child processes; the scorer is sent to them."""

import logging
import pickle
import sys
from multiprocessing import get_context

import torch
from scoring import Scorer
from transformers import BloomConfig, BloomForCausalLM

logging.basicConfig(level=logging.INFO, format="%(processName)s: %(message)s")
log = logging.getLogger(__name__)
LAYOUT = {
    "transformer.word_embeddings": "cpu",
    "transformer.word_embeddings_layernorm": "cpu",
    "transformer.h.0": "cpu",
    "transformer.h.1": "disk",
    "transformer.ln_f": "cpu",
    "lm_head": "cpu",
}


def child(payload, rows, results):
    torch.set_num_threads(1)
    scorer = pickle.loads(payload)
    results.put([scorer(row) for row in rows])


def run(scorer, rows):
    payload = pickle.dumps(scorer)
    log.info("scorer takes %d bytes", len(payload))
    context = get_context("fork")
    results = context.Queue()
    process = context.Process(target=child, args=(payload, rows, results))
    process.start()
    values = results.get(timeout=60)
    process.join()
    return values


def main():
    torch.manual_seed(33)
    BloomForCausalLM(BloomConfig(vocab_size=40, hidden_size=16, n_layer=2, n_head=2)).save_pretrained("bloom")
    rows = [[1, 2, 3], [4, 5, 6, 7]]
    scorer = Scorer("bloom", device_map=LAYOUT)
    here = [scorer(row) for row in rows]
    there = run(scorer, rows)
    log.info("here %s, there %s", here, there)
    return 0 if torch.allclose(torch.tensor(here), torch.tensor(there)) else 1


if __name__ == "__main__":
    sys.exit(main())
