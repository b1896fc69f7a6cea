"""Score documents with a pool of workers, one language model per worker."""

import logging
import math
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

logging.basicConfig(level=logging.INFO, format="%(asctime)s [%(threadName)s] %(message)s")
log = logging.getLogger(__name__)
local = threading.local()
PATH = "scorer-base"


def write_model():
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=400, n_positions=64, n_embd=64, n_layer=6, n_head=4)
    GPT2LMHeadModel(config).save_pretrained(PATH)


def model():
    if not hasattr(local, "model"):
        log.info("loading")
        local.model = AutoModelForCausalLM.from_pretrained(PATH)
        local.model.to("cpu").eval()
    return local.model


@torch.inference_mode()
def score(document):
    ids = torch.tensor([document])
    return model()(ids, labels=ids).loss.item()


def run(documents, workers):
    results = {}
    with ThreadPoolExecutor(workers, thread_name_prefix="scorer") as pool:
        futures = {pool.submit(score, d): i for i, d in enumerate(documents)}
        for future in as_completed(futures):
            results[futures[future]] = future.result()
    return [results[i] for i in range(len(documents))]


def main():
    write_model()
    g = torch.Generator().manual_seed(1)
    for round_ in range(3):
        documents = torch.randint(0, 400, (24, 32), generator=g).tolist()
        scores = run(documents, workers=6)
        log.info("round %d: mean %.3f", round_, sum(scores) / len(scores))
        assert all(abs(s - math.log(400)) < 0.5 for s in scores)


if __name__ == "__main__":
    main()
