"""Save a fine-tuned model, reload it in the serving process and compare (nightly pipeline)."""

import dataclasses
import json
import logging
import sys

import torch
from masked_lm import MaskedConfig, MaskedDecoder

log = logging.getLogger("pipeline")


@dataclasses.dataclass
class Step:
    name: str
    ok: bool
    detail: dict


def finetune(folder):
    torch.manual_seed(9)
    model = MaskedDecoder(MaskedConfig())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    ids = torch.arange(16).reshape(2, 8)
    for _ in range(3):
        loss = model(ids, labels=ids)[0]
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval().save_pretrained(folder)
    return model, Step("finetune", True, {"loss": round(loss.item(), 4)})


def compare(model, folder):
    served = MaskedDecoder.from_pretrained(folder).eval()
    ids = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6]])
    with torch.no_grad():
        a, b = model(ids)[1], served(ids)[1]
    gap = (a - b).abs().max().item()
    return Step("compare", gap < 1e-5, {"max_gap": gap})


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model, step = finetune("masked-lm")
    steps = [step, compare(model, "masked-lm")]
    for s in steps:
        log.info(json.dumps(dataclasses.asdict(s)))
    if not all(s.ok for s in steps):
        log.error("pipeline stopped: served model and trained model mismatch")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
