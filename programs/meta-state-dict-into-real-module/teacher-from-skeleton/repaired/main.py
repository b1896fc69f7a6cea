"""Self-distillation: teacher starts as a copy of the student."""

import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from transformers import BertConfig, BertForSequenceClassification


@dataclass
class Settings:
    labels: int = 3
    steps: int = 3
    lr: float = 1e-3
    momentum: float = 0.99
    init_from: str = "student.bin"


def config(cfg):
    return BertConfig(
        vocab_size=60,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
        num_labels=cfg.labels,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )


def prepare(cfg):
    torch.manual_seed(2)
    torch.save(BertForSequenceClassification(config(cfg)).state_dict(), cfg.init_from)


def build_pair(cfg):
    bert = config(cfg)
    student = BertForSequenceClassification(bert)
    student.load_state_dict(torch.load(cfg.init_from, weights_only=True))
    teacher = BertForSequenceClassification(copy.deepcopy(bert)).requires_grad_(False)
    teacher.load_state_dict(student.state_dict())
    return student, teacher.eval()


def train(cfg):
    student, teacher = build_pair(cfg)
    ids = torch.randint(0, 60, (4, 8), generator=torch.Generator().manual_seed(0))
    first = F.mse_loss(student(ids).logits, teacher(ids).logits).item()
    assert first < 1e-6, f"teacher is no copy of the student ({first:.3f})"
    opt = torch.optim.AdamW(student.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        loss = F.cross_entropy(student(ids).logits, torch.tensor([0, 1, 2, 0]))
        loss.backward()
        opt.step()
        opt.zero_grad()
        with torch.no_grad():
            for t, s in zip(teacher.parameters(), student.parameters()):
                t.lerp_(s, 1 - cfg.momentum)
        print(f"step {step} loss {loss.item():.4f}")


if __name__ == "__main__":
    settings = Settings()
    prepare(settings)
    train(settings)
