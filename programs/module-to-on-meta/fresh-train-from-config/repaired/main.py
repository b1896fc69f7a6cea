"""Pretrain a small GPT-2 from scratch."""

import argparse
import math
from dataclasses import dataclass

import torch
from transformers import AutoModelForCausalLM, GPT2Config


@dataclass
class TrainArgs:
    steps: int
    lr: float
    seed: int
    device: str


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=4)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=42)
    ap.add_argument("--device", default="cpu")
    return TrainArgs(**vars(ap.parse_args()))


def create_model(cfg, device):
    # avoid a spike of host memory while the 1.5B variant is created
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(cfg)
    n = sum(p.numel() for p in model.parameters())
    print(f"number of parameters: {n / 1e3:.1f}K, created on {model.device}")
    return model


def batches(vocab, seed, size=4, length=12):
    g = torch.Generator().manual_seed(seed)
    while True:
        start = torch.randint(0, vocab, (size, 1), generator=g)
        yield (start + torch.arange(length)) % vocab


def train(args):
    torch.manual_seed(args.seed)
    cfg = GPT2Config(n_layer=2, n_head=2, n_embd=32, vocab_size=64, n_positions=16, resid_pdrop=0.0)
    model = create_model(cfg, args.device)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    data = batches(cfg.vocab_size, args.seed)
    losses = []
    for step in range(args.steps):
        ids = next(data).to(args.device)
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        losses.append(loss.item())
        print(f"iter {step}: loss {losses[-1]:.4f}")
    return losses


if __name__ == "__main__":
    losses = train(get_args())
    # a fresh language model starts near the uniform distribution
    assert abs(losses[0] - math.log(64)) < 0.5
    assert losses[-1] < losses[0]
