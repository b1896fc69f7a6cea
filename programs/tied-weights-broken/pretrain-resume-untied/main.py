"""Continue pre-training from a checkpoint. The model is allocated straight on the device."""

import logging
import sys

import torch
from transformers import GPT2Config, GPT2LMHeadModel

log = logging.getLogger("pretrain")
CONFIG = GPT2Config(vocab_size=64, n_positions=32, n_embd=32, n_layer=1, n_head=4)


def allocate(device):
    with torch.device("meta"):
        model = GPT2LMHeadModel(CONFIG)
    model.to_empty(device=device)
    return model


def resume(path, device="cpu"):
    checkpoint = torch.load(path, map_location=device)
    model = allocate(device)
    model.load_state_dict(checkpoint["model"])
    log.info("resumed at step %d", checkpoint["step"])
    return model, checkpoint["step"]


def batches(count):
    rng = torch.Generator().manual_seed(6)
    for _ in range(count):
        yield torch.randint(0, 64, (4, 16), generator=rng)


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    torch.manual_seed(1)
    fresh = GPT2LMHeadModel(CONFIG)
    expected = sum(p.numel() for p in fresh.parameters())
    torch.save({"model": fresh.state_dict(), "step": 100}, "last.pt")

    model, step = resume("last.pt")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for ids in batches(3):
        step += 1
        loss = model(ids, labels=ids).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.info("step %d loss %.3f", step, loss.item())
    found = sum(p.numel() for p in model.parameters())
    drift = (model.lm_head.weight - model.transformer.wte.weight).abs().max().item()
    log.info("parameters %d (config says %d), head/embedding distance %.4f", found, expected, drift)
    return 0 if found == expected and drift == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
