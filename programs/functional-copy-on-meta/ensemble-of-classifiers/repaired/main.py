"""Uncertainty of an ensemble: spread of the members' votes, all members in one vmap call."""

import argparse
import copy
import logging

import torch
from nets import small_cnn
from torch.func import functional_call, stack_module_state, vmap

log = logging.getLogger("ensemble")


def train_member(seed, data, target):
    torch.manual_seed(seed)
    net = small_cnn()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(3):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(data), target).backward()
        optimizer.step()
    return net.eval()


class Ensemble:
    def __init__(self, members):
        self.members = members
        self.params, self.buffers = stack_module_state(members)
        self.skeleton = copy.deepcopy(members[0]).to("meta")

    def _one(self, params, buffers, data):
        return functional_call(self.skeleton, (params, buffers), (data,))

    @torch.no_grad()
    def predict(self, data):
        logits = vmap(self._one, in_dims=(0, 0, None))(self.params, self.buffers, data)
        probs = logits.softmax(-1)
        return probs.mean(0), probs.std(0).mean(-1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--members", type=int, default=3)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    g = torch.Generator().manual_seed(0)
    data, target = torch.randn(20, 1, 8, 8, generator=g), torch.randint(0, 5, (20,), generator=g)
    members = [train_member(s, data, target) for s in range(args.members)]
    log.info("trained %d members", len(members))
    mean, spread = Ensemble(members).predict(data)
    log.info("mean spread %.4f", spread.mean())
    with torch.no_grad():
        loop = torch.stack([m(data).softmax(-1) for m in members]).mean(0)
    torch.testing.assert_close(mean, loop)


if __name__ == "__main__":
    main()
