"""Text-classification worker: encoder from disk, head from the label file."""

import json
import logging
from pathlib import Path

import torch
from sizing import parameter_bytes
from transformers import BertConfig

LOG = logging.getLogger("worker")
CONFIG = BertConfig(
    vocab_size=200,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=64,
    max_position_embeddings=32,
)
BUDGET = 50 * 2**20


class Head(torch.nn.Module):
    def __init__(self, width: int, labels: list[str]) -> None:
        super().__init__()
        self.labels = labels
        self.norm = torch.nn.LayerNorm(width)
        self.out = torch.nn.Linear(width, len(labels))

    @torch.no_grad()
    def forward(self, pooled):
        return self.out(self.norm(pooled))


def start(device: str = "cpu") -> Head:
    need = parameter_bytes(CONFIG)
    LOG.info("encoder needs %.1f MB", need / 2**20)
    if need > BUDGET:
        raise MemoryError("model larger than the pod's limit")
    labels = json.loads(Path("labels.json").read_text())
    head = Head(CONFIG.hidden_size, labels)
    return head.to(device).eval()


def handle(head: Head, features: list[float]) -> dict:
    pooled = torch.tensor([features], device="cpu")
    scores = head(pooled).softmax(-1)[0]
    return {label: round(float(s), 3) for label, s in zip(head.labels, scores)}


if __name__ == "__main__":
    logging.basicConfig(level="INFO", format="%(levelname)s:%(name)s:%(message)s")
    Path("labels.json").write_text(json.dumps(["spam", "ham", "other"]))
    torch.manual_seed(3)
    try:
        service = start()
    except Exception:
        LOG.exception("worker did not start")
        raise SystemExit(1) from None
    answer = handle(service, [0.1] * CONFIG.hidden_size)
    LOG.info("answer %s", answer)
    assert abs(sum(answer.values()) - 1) < 0.01
