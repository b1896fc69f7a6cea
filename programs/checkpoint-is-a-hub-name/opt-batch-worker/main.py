"""worker.py: scores lines of a queue with an OPT model."""

import json
import logging
import pathlib
import sys

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from cache import CACHE, downloaded
from transformers import AutoConfig, OPTForCausalLM

log = logging.getLogger("worker")


def settings(path):
    path = pathlib.Path(path)
    if not path.exists():
        path.write_text(json.dumps({"model": "quarry/opt-nano", "device": "cpu", "batch": 2}))
    return json.loads(path.read_text())


def load(chosen):
    config = AutoConfig.from_pretrained(chosen["model"], cache_dir=CACHE, local_files_only=True)
    with init_empty_weights():
        model = OPTForCausalLM(config)
    model.tie_weights()
    return load_checkpoint_and_dispatch(model, chosen["model"], device_map={"": chosen["device"]}).eval()


@torch.inference_mode()
def score(model, rows):
    logits = model(rows).logits[:, :-1].log_softmax(-1)
    return logits.gather(-1, rows[:, 1:, None]).sum((1, 2))


def main():
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    chosen = settings("worker.json")
    original = downloaded(chosen["model"])
    log.info("starting with %s", chosen)
    model = load(chosen)
    rows = torch.randint(3, 30, (chosen["batch"], 6), generator=torch.Generator().manual_seed(9))
    scores = score(model, rows)
    for row, value in zip(rows.tolist(), scores.tolist(), strict=True):
        log.info("%s %.3f", row, value)
    torch.testing.assert_close(scores, score(original, rows))


if __name__ == "__main__":
    main()
