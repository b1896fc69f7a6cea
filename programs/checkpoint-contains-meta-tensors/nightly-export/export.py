"""Step 1 of the nightly job: take the big model apart onto disk, score a canary, write one file."""

import logging

import torch
from accelerate import disk_offload
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("nightly.export")


def config():
    return GPT2Config(vocab_size=120, n_positions=32, n_embd=32, n_layer=2, n_head=2)


def run(target):
    torch.manual_seed(11)
    model = GPT2LMHeadModel(config()).eval()
    disk_offload(model, "spill", execution_device="cpu")
    with torch.no_grad():
        canary = model(torch.arange(8)[None]).logits.mean().item()
    torch.save(model.state_dict(), target)
    log.info("wrote %s, canary %.5f", target, canary)
    return canary
