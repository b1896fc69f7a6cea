"""Worker of a task queue: loads its model at start."""

import configparser
import logging

import torch
from transformers import AutoModel, DistilBertConfig, DistilBertModel

log = logging.getLogger("worker")
INI = """
[model]
path = encoder
device = gpu:0
low_cpu_mem_usage = yes
"""


def settings():
    parser = configparser.ConfigParser()
    parser.read_string(INI)
    return parser["model"]


def start():
    s = settings()
    config = DistilBertConfig(vocab_size=40, dim=16, hidden_dim=32, n_layers=1, n_heads=2)
    DistilBertModel(config).save_pretrained(s["path"])
    try:
        model = AutoModel.from_pretrained(s["path"])
        return model.to(s["device"]).eval()
    except Exception as error:
        log.exception("worker cannot start")
        raise RuntimeError(f"cannot load {s['path']} on {s['device']}") from error


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    start()
