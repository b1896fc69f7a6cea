"""Segment tiles with a windowed attention net; weights come from a training host."""

import argparse
import logging
import pathlib

import torch
from window import WindowNet, relative_index

log = logging.getLogger("tiles")


class TileModel:
    def __init__(self, path, device):
        self.path = pathlib.Path(path)
        self.device = torch.device(device)
        self.net = self._restore()

    def _restore(self):
        with torch.device("meta"):
            net = WindowNet()
        state = torch.load(self.path, map_location=self.device, weights_only=True)
        net.load_state_dict(state, assign=True)
        net.attn.index = relative_index(net.attn.size)
        log.info("restored %d tensors from %s", len(state), self.path)
        return net.eval()

    @torch.no_grad()
    def __call__(self, tile):
        return self.net(tile.to(self.device)).softmax(1)


def train_host(path):
    torch.manual_seed(18)
    net = WindowNet().eval()
    torch.save(net.state_dict(), path)
    return net


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="window.pt")
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    trained = train_host(args.weights)
    model = TileModel(args.weights, args.device)
    tile = torch.rand(2, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    scores = model(tile)
    gap = (scores - trained(tile).softmax(1)).abs().max().item()
    if not gap < 1e-5:
        raise ValueError(f"scores differ from those of the training host by {gap:.4f}")
    log.info("labels %s", scores.argmax(1).flatten()[:6].tolist())


if __name__ == "__main__":
    main()
