"""Compare a model in memory with the same model under a disk map, as a smoke test."""

import argparse
import logging
import tempfile

import torch
from accelerate import dispatch_model
from torch import nn

log = logging.getLogger("smoke")


class Reader(nn.Module):
    def __init__(self, vocab=60, dim=24):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.mix = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, vocab, bias=False)

    def forward(self, ids):
        x = torch.tanh(self.mix(self.tok(ids)))
        return self.head(x)


def model(seed):
    torch.manual_seed(seed)
    return Reader().eval()


@torch.no_grad()
def greedy(net, ids, n):
    for _ in range(n):
        ids = torch.cat([ids, net(ids)[:, -1:].argmax(-1)], 1)
    return ids


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=6)
    ap.add_argument("-n", type=int, default=6)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="[%(levelname)s] %(message)s")
    ids = torch.tensor([[1, 2, 3], [4, 5, 6]])
    plain = model(args.seed)
    want_logits, want = plain(ids), greedy(plain, ids, args.n)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        offloaded = dispatch_model(
            model(args.seed),
            {"tok": "cpu", "mix": "cpu", "head": "disk"},
            main_device="cpu",
            offload_dir=folder,
        )
        with torch.no_grad():
            gap = (offloaded(ids) - want_logits).abs().max().item()
        if not gap < 1e-4:
            log.error("in memory and offloaded differ by %s", gap)
            raise SystemExit(1)
        assert torch.equal(greedy(offloaded, ids, args.n), want)
    log.info("same tokens: %s", want.tolist())


if __name__ == "__main__":
    main()
