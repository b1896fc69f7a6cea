"""Hot swap of weights in a running ranker."""

import logging
import sys
import tempfile

import torch
from accelerate import dispatch_model
from ranker import DEVICE_MAP, Ranker, write_weights

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s [%(name)s] %(message)s")
log = logging.getLogger("ranker.server")


class Server:
    def __init__(self, weights):
        self.model = self._load(weights)
        self.version = weights

    def _load(self, weights):
        model = Ranker().eval()
        model.load_state_dict(torch.load(weights, weights_only=True))
        return dispatch_model(model, DEVICE_MAP, main_device="cpu", offload_dir=tempfile.mkdtemp(dir="."))

    def swap(self, weights):
        state = torch.load(weights, weights_only=True)
        result = self.model.load_state_dict(state, assign=True)
        log.info("swapped %s -> %s: %s", self.version, weights, result)
        self.version = weights

    @torch.no_grad()
    def rank(self, docs):
        return self.model(docs)


def smoke_test(server, docs):
    plain = Ranker().eval()
    plain.load_state_dict(torch.load(server.version, weights_only=True))
    with torch.no_grad():
        gap = (server.rank(docs) - plain(docs)).abs().max().item()
    log.info("smoke test of %s: gap %.2e", server.version, gap)
    if gap > 1e-5:
        log.error("answers of %s are stale", server.version)
        sys.exit(1)


def main():
    docs = torch.randn(6, 10, generator=torch.Generator().manual_seed(2))
    server = Server(write_weights("v1.pt", seed=1))
    smoke_test(server, docs)
    server.swap(write_weights("v2.pt", seed=2))
    smoke_test(server, docs)
    log.info("serving %s", server.version)


if __name__ == "__main__":
    main()
