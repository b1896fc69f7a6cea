"""Load a mixture model for scoring; the map comes from the deployment's settings file."""

import configparser
import logging
from collections import OrderedDict

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import save_file
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s [%(name)s] %(message)s")
log = logging.getLogger("deploy")

SETTINGS = """
[placement]
table.weight = disk
mix = cpu
out = cpu
"""


class Scorer(nn.Module):
    def __init__(self, rows=500, dim=12):
        super().__init__()
        self.table = nn.Embedding(rows, dim)
        self.mix = nn.Sequential(OrderedDict(a=nn.Linear(dim, dim), act=nn.SiLU(), b=nn.Linear(dim, dim)))
        self.out = nn.Linear(dim, 1)

    def forward(self, ids):
        return self.out(self.mix(self.table(ids).sum(1))).squeeze(-1)


def read_map(text):
    parser = configparser.ConfigParser()
    parser.read_string(text)
    return dict(parser["placement"])


def deploy(path):
    with init_empty_weights():
        scorer = Scorer()
    device_map = read_map(SETTINGS)
    log.info("device map %s", device_map)
    return load_checkpoint_and_dispatch(scorer, path, device_map=device_map, offload_folder="disk").eval()


def main():
    torch.manual_seed(44)
    trained = Scorer().eval()
    save_file(trained.state_dict(), "scorer.safetensors")
    scorer = deploy("scorer.safetensors")
    ids = torch.randint(0, 500, (3, 7))
    try:
        with torch.no_grad():
            scores, expected = scorer(ids), trained(ids)
    except Exception:
        log.exception("smoke test failed for ids %s", tuple(ids.shape))
        raise
    log.info("scores %s", scores.tolist())
    torch.testing.assert_close(scores, expected)


main()
