"""Report parameter counts of several configurations, then fit a small probe on random features."""

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import torch
from torch import nn
from transformers import BertConfig, BertModel, GPT2Config, GPT2Model

log = logging.getLogger("sizes")
CONFIGS = {
    "bert-mini": (BertModel, BertConfig(hidden_size=96, num_hidden_layers=2), 0.0, 0.5),
    "gpt2-mini": (GPT2Model, GPT2Config(n_embd=64, n_layer=2, n_head=2), 0.25, 1.5),
}


def skeleton(name):
    cls, config, queue_time, registry_time = CONFIGS[name]
    time.sleep(queue_time)
    with torch.device("meta"):
        model = cls(config)
        time.sleep(registry_time)  # the registry is asked for the published size
    return name, sum(p.numel() for p in model.parameters())


def report():
    sizes = {}
    with ThreadPoolExecutor(max_workers=len(CONFIGS)) as pool:
        for done in as_completed([pool.submit(skeleton, n) for n in CONFIGS]):
            name, size = done.result()
            sizes[name] = size
            log.info("%-10s %8.2fM [%d threads]", name, size / 1e6, threading.active_count())
    return sizes


def probe(features, labels):
    head = nn.Linear(features.shape[1], 2).cpu()
    opt = torch.optim.SGD(head.parameters(), lr=0.5)
    for _ in range(20):
        loss = nn.functional.cross_entropy(head(features), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    logging.basicConfig(level=logging.INFO)
    sizes = report()
    assert len(sizes) == 2
    g = torch.Generator().manual_seed(0)
    features = torch.randn(32, 6, generator=g)
    loss = probe(features, (features[:, 0] > 0).long())
    assert loss < 0.5, loss
    log.info("probe loss %.3f", loss)


if __name__ == "__main__":
    main()
