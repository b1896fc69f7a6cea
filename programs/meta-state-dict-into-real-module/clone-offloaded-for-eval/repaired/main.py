"""Preference tuning: the frozen reference model is offloaded, the policy starts from it."""

import argparse
import logging

import torch
import torch.nn.functional as F
from accelerate import cpu_offload
from transformers import GPT2Config, GPT2LMHeadModel

logger = logging.getLogger("dpo")


def config():
    return GPT2Config(n_layer=2, n_embd=24, n_head=2, vocab_size=50, n_positions=16, resid_pdrop=0.0)


def sft_checkpoint(path):
    torch.manual_seed(3)
    torch.save(GPT2LMHeadModel(config()).state_dict(), path)


def build_models(path):
    reference = GPT2LMHeadModel(config()).eval().requires_grad_(False)
    reference.load_state_dict(torch.load(path, weights_only=True))
    cpu_offload(reference, execution_device=torch.device("cpu"))
    logger.info("reference model offloaded")
    policy = GPT2LMHeadModel(config())
    policy.load_state_dict(torch.load(path, weights_only=True))
    return policy.eval(), reference


def logp(model, ids):
    logits = model(ids).logits[:, :-1].log_softmax(-1)
    return logits.gather(-1, ids[:, 1:, None]).squeeze(-1).sum(-1)


def dpo_loss(policy, reference, chosen, rejected, beta):
    with torch.no_grad():
        ref = logp(reference, chosen) - logp(reference, rejected)
    return -F.logsigmoid(beta * (logp(policy, chosen) - logp(policy, rejected) - ref)).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--sft", default="sft.pt")
    ap.add_argument("--beta", type=float, default=0.1)
    ap.add_argument("--steps", type=int, default=3)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
    sft_checkpoint(args.sft)
    policy, reference = build_models(args.sft)
    chosen, rejected = torch.tensor([[1, 2, 3, 4]]), torch.tensor([[1, 9, 8, 7]])
    opt = torch.optim.AdamW(policy.parameters(), lr=1e-3)
    losses = []
    for _ in range(args.steps):
        loss = dpo_loss(policy, reference, chosen, rejected, args.beta)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    logger.info("losses %s", [round(v, 4) for v in losses])
    assert abs(losses[0] - 0.6931) < 1e-3  # policy equals reference at the start
    assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
