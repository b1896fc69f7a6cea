"""Add special tokens to a causal model and verify them before the long job starts."""

import logging
import os

import torch
import torch.distributed as dist
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

os.environ["ACCELERATE_USE_FSDP"] = "true"
os.environ["FSDP_CPU_RAM_EFFICIENT_LOADING"] = "false"
RANK = int(os.environ["RANK"])
log = logging.getLogger("vocab")


def base(path):
    torch.manual_seed(99)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=60, n_positions=16, n_embd=16, n_layer=1, n_head=2))
    model.save_pretrained(path)
    return model.transformer.wte.weight.detach().clone()


def grow(model, extra):
    old = model.get_input_embeddings().weight.shape[0]
    model.resize_token_embeddings(old + extra, mean_resizing=False)
    rows = model.get_input_embeddings().weight
    with torch.no_grad():
        rows[old:] = rows[:old].mean(0)
    return model


def verify(model, stored):
    rows = model.get_input_embeddings().weight.detach()
    drift = (rows[: len(stored)] - stored).abs().max()
    log.info("embedding %s, drift %.3g", tuple(rows.shape), drift)
    dist.all_reduce(drift)
    return drift.item()


def main():
    logging.basicConfig(level=logging.INFO, format=f"rank {RANK} %(levelname)s %(message)s")
    stored = base(f"gpt2-{RANK}")
    dist.init_process_group("gloo")
    model = AutoModelForCausalLM.from_pretrained(f"gpt2-{RANK}")
    drift = verify(grow(model, 4), stored)
    dist.barrier()
    dist.destroy_process_group()
    if not drift < 1e-6:
        raise SystemExit(f"rank {RANK}: some rank does not hold the checkpoint's embedding (drift {drift})")


if __name__ == "__main__":
    main()
