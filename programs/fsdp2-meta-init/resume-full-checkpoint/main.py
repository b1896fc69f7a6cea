import logging
import os
import sys

import torch
import torch.distributed as dist
from trainer import Trainer


def build():
    return torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.Tanh(), torch.nn.Linear(32, 2))


def batches(rank, n):
    g = torch.Generator().manual_seed(rank)
    for _ in range(n):
        x = torch.randn(16, 8, generator=g)
        yield x, torch.stack([x.sum(1), x.prod(1)], 1)


def first_run(path):
    torch.manual_seed(42)
    model = build()
    torch.save({"model": model.state_dict(), "step": 1000}, path)
    with torch.no_grad():
        losses = [torch.nn.functional.mse_loss(model(x), y) for r in (0, 1) for x, y in batches(r, 1)]
    return sum(losses).item() / 2


def main():
    rank = int(os.environ["RANK"])
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format=f"rank{rank}|%(name)s|%(message)s")
    dist.init_process_group("gloo")
    path = f"last-{rank}.ckpt"
    expected = first_run(path)
    try:
        trainer = Trainer(build)
        trainer.resume(path)
        history = list(trainer.train(batches(rank, 3)))
    except Exception:
        logging.exception("training failed")
        sys.exit(1)
    logging.info("history %s, expected first loss %.5f", history, expected)
    dist.destroy_process_group()
    assert abs(history[0][1] - expected) < 1e-4


if __name__ == "__main__":
    main()
