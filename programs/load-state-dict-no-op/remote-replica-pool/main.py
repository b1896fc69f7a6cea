"""Price options in a process pool."""

import logging
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

import torch
from torch import nn

log = logging.getLogger("pricing")
PATH = "pricing.ckpt"


class PricingError(RuntimeError):
    """What the desk sees."""


def net():
    return nn.Sequential(nn.Linear(5, 32), nn.Softplus(), nn.Linear(32, 32), nn.Softplus(), nn.Linear(32, 1))


def calibrate():
    torch.manual_seed(2)
    model = net().eval()
    torch.save({"model": model.state_dict(), "asof": "close"}, PATH)
    return model


def open_replica(path, device):
    with torch.device("meta"):
        model = net()
    ckpt = torch.load(path, weights_only=True)
    log.info("replica of %s: %s", ckpt["asof"], model.load_state_dict(ckpt["model"]))
    return model.to(device).eval()


def price(rows, path=PATH, device="cpu"):
    logging.basicConfig(level=logging.INFO, format="%(processName)s | %(message)s")
    torch.set_num_threads(1)
    with torch.no_grad():
        return open_replica(path, device)(torch.tensor(rows)).squeeze(-1).tolist()


def desk(rows):
    with ProcessPoolExecutor(1, mp_context=mp.get_context("fork")) as pool:
        try:
            return pool.submit(price, rows).result(timeout=60)
        except Exception as e:
            raise PricingError(f"{len(rows)} rows not priced") from e


def main():
    reference = calibrate()
    rows = [[0.1, 0.2, 0.3, 0.4, 0.5], [1.0, 0.9, 0.8, 0.7, 0.6]]
    prices = desk(rows)
    with torch.no_grad():
        want = reference(torch.tensor(rows)).squeeze(-1)
    assert torch.allclose(torch.tensor(prices), want, atol=1e-6)
    print("prices", [round(p, 4) for p in prices])


if __name__ == "__main__":
    main()
