"""Simple preference optimisation with Accelerate; run it with torchrun."""

import logging
import os
import sys
import traceback
from dataclasses import dataclass

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, OPTConfig, OPTForCausalLM

log = logging.getLogger("simpo")


@dataclass
class Config:
    policy: str = f"policy-{os.environ['RANK']}"
    beta: float = 2.0
    lr: float = 1e-3
    load: tuple = ()


def write(path):
    torch.manual_seed(2)
    config = OPTConfig(
        vocab_size=40,
        hidden_size=16,
        ffn_dim=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=24,
        word_embed_proj_dim=16,
        tie_word_embeddings=False,
    )
    OPTForCausalLM(config).save_pretrained(path)


def score(model, ids):
    logp = model(input_ids=ids).logits[:, :-1].log_softmax(-1)
    return logp.gather(-1, ids[:, 1:, None]).squeeze(-1).mean(-1)


def main():
    config = Config()
    write(config.policy)
    accelerator = Accelerator(cpu=True)
    model = AutoModelForCausalLM.from_pretrained(config.policy, **dict(config.load))
    pairs = [(torch.randint(3, 40, (8,)), torch.randint(3, 40, (8,))) for _ in range(16)]
    loader = DataLoader(pairs, batch_size=2)
    optimizer = torch.optim.Adam(model.parameters(), lr=config.lr)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for step, (good, bad) in enumerate(loader):
        both = score(model, torch.cat([good, bad]))
        margin = both[: len(good)] - both[len(good) :]
        loss = -torch.nn.functional.logsigmoid(config.beta * margin).mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        log.info("step %d loss %.4f", step, loss.item())
    accelerator.wait_for_everyone()
    accelerator.end_training()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format=f"{os.environ['RANK']}: %(message)s")
    try:
        main()
    except ValueError:
        traceback.print_exc()
        sys.exit(f"rank {os.environ['RANK']} stopped")
