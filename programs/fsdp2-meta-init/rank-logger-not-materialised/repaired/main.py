"""Pretraining loop with a warm start. Errors of every rank go to its own log file and to stderr."""

import contextlib
import logging
import os
import traceback

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import distribute_tensor

RANK = int(os.environ["RANK"])
log = logging.getLogger(f"rank{RANK}")


@contextlib.contextmanager
def process_group():
    dist.init_process_group("gloo")
    try:
        yield
    except Exception:
        log.critical("rank %d died\n%s", RANK, traceback.format_exc())
        raise SystemExit(RANK + 1) from None
    finally:
        dist.destroy_process_group()


class Model(nn.Module):
    def __init__(self, vocab=32, dim=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.Linear(2 * dim, dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        x = self.embed(ids)
        context = torch.cumsum(x, 1) / torch.arange(1, ids.shape[1] + 1).view(1, -1, 1)
        return self.head(torch.tanh(self.rnn(torch.cat([x, context], -1))))


def build(warm_start):
    with torch.device("meta"):
        model = Model()
    fully_shard(model)
    log.info("warm start from %d tensors", len(warm_start))
    shards = {}
    for name, parameter in model.named_parameters():
        shards[name] = distribute_tensor(warm_start[name], parameter.device_mesh, parameter.placements)
    model.load_state_dict(shards, assign=True)
    return model


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s %(levelname)s %(message)s")
    logging.getLogger().addHandler(logging.FileHandler(f"rank{RANK}.log"))
    torch.manual_seed(8)
    donor = Model()
    with process_group():
        model = build(donor.state_dict())
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
        ids = torch.arange(48).remainder(32).view(4, 12)
        losses = []
        for _ in range(5):
            logits = model(ids[:, :-1])
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        reference = nn.functional.cross_entropy(donor(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        log.info("losses %s, first expected %.4f", [round(x, 4) for x in losses], reference)
        assert abs(losses[0] - reference) < 1e-4


main()
