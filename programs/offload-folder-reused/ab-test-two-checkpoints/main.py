"""A/B test of two checkpoints of one model."""

import argparse
import logging

import torch
from accelerate import dispatch_model
from transformers import BertConfig, BertForSequenceClassification

log = logging.getLogger("abtest")
OFFLOAD = "offload"


def checkpoint(name, seed):
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=50,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
    )
    BertForSequenceClassification(config).save_pretrained(name)
    return name


def load(path):
    model = BertForSequenceClassification.from_pretrained(path).eval()
    device_map = {
        "bert.embeddings": "cpu",
        "bert.encoder": "disk",
        "bert.pooler": "disk",
        "dropout": "cpu",
        "classifier": "disk",
    }
    return dispatch_model(model, device_map, main_device="cpu", offload_dir=OFFLOAD)


@torch.no_grad()
def scores(model, rows):
    return torch.cat([model(input_ids=r[None]).logits.softmax(-1) for r in rows])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int, default=5)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    rows = torch.randint(1, 50, (args.rows, 8), generator=torch.Generator().manual_seed(0))
    table = {}
    for name, seed in (("arm-a", 1), ("arm-b", 2)):
        table[name] = scores(load(checkpoint(name, seed)), rows)
        plain = scores(BertForSequenceClassification.from_pretrained(name).eval(), rows)
        drift = (table[name] - plain).abs().max().item()
        log.info("%s: mean score %.4f, drift from plain load %.1e", name, table[name][:, 1].mean(), drift)
        if drift > 1e-5:
            raise AssertionError(f"{name}: offloaded and plain outputs are not identical ({drift:.4f})")


if __name__ == "__main__":
    main()
