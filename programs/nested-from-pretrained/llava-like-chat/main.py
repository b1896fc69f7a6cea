"""Vision chat demo (text in, image in, token out)."""

import argparse
import logging
import time

import torch
from vlm import Vlm, release

log = logging.getLogger("vlm-demo")


class ModelUnavailable(RuntimeError):
    def __init__(self, name, tries):
        super().__init__(f"{name} not available after {tries} tries")


def load(name, tries=2, wait=0.05):
    for n in range(1, tries + 1):
        try:
            return Vlm.from_pretrained(name).eval()
        except (OSError, RuntimeError) as e:
            log.warning("try %d/%d: %s", n, tries, str(e).splitlines()[0])
            if n == tries:
                raise ModelUnavailable(name, tries) from e
            time.sleep(wait)
    return None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--name", default="vlm-tiny")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    original = release(args.name)
    model = load(args.name)
    image = torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(0))
    ids = torch.tensor([[1, 5, 6]])
    with torch.no_grad():
        got, want = model(ids, image), original(ids, image)
    assert torch.allclose(got, want, atol=1e-5)
    log.info("next token %d", got.argmax())


if __name__ == "__main__":
    main()
