"""Sharded inference. Loads nothing twice: the model is built on meta and sharded first."""

import argparse
import logging
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

log = logging.getLogger("gen")


class Decoder(nn.Module):
    def __init__(self, vocab=40, dim=16, depth=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList(nn.GRUCell(dim, dim) for _ in range(depth))
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        x = self.embed(ids)
        states = [torch.zeros(len(ids), 16) for _ in self.layers]
        for t in range(ids.shape[1]):
            h = x[:, t]
            for i, cell in enumerate(self.layers):
                h = states[i] = cell(h, states[i])
        return self.out(h)


def load(path, mesh):
    with torch.device("meta"):
        model = Decoder()
    for layer in model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    log.info("sharded %s", path)
    model.to_empty(device="cpu")
    weights = torch.load(path, weights_only=True)
    set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True))
    return model.eval()


@torch.no_grad()
def generate(model, prompt, steps):
    ids = torch.tensor([prompt])
    for _ in range(steps):
        ids = torch.cat([ids, model(ids).argmax(-1, keepdim=True)], 1)
    return ids[0].tolist()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=4)
    args = parser.parse_args()
    rank = os.environ["RANK"]
    logging.basicConfig(level=logging.INFO, format=f"%(levelname)s rank {rank}: %(message)s")
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    torch.manual_seed(3)
    plain = Decoder().eval()
    torch.save(plain.state_dict(), f"decoder-{rank}.pt")
    want = generate(plain, [1, 2, 3], args.steps)
    got = generate(load(f"decoder-{rank}.pt", mesh), [1, 2, 3], args.steps)
    log.info("generated %s", got)
    dist.destroy_process_group()
    assert got == want


if __name__ == "__main__":
    main()
