"""Depth up-scaling: take a small GPT and add layers on top before continued pretraining."""

import argparse
import logging

import torch
from transformers import OpenAIGPTConfig, OpenAIGPTModel

log = logging.getLogger("upscale")


def small(folder, layers):
    torch.manual_seed(53)
    config = OpenAIGPTConfig(n_layer=layers, n_embd=32, n_head=2, vocab_size=50, n_positions=24)
    OpenAIGPTModel(config).save_pretrained(folder)


def grow(folder, extra):
    config = OpenAIGPTConfig.from_pretrained(folder)
    start = config.n_layer
    config.n_layer += extra
    model = OpenAIGPTModel.from_pretrained(folder, config=config)
    log.info("grown from %d to %d layers", start, config.n_layer)
    return model, start


def spread(model, first):
    worst = {}
    for n, block in enumerate(model.h[first:], first):
        for name, p in block.named_parameters():
            if name.endswith(("c_fc.weight", "c_attn.weight", "c_proj.weight")):
                worst[f"h.{n}.{name}"] = p.detach().std().item()
    return worst


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--small", default="gpt-small")
    ap.add_argument("--layers", type=int, default=2)
    ap.add_argument("--extra", type=int, default=4)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    small(args.small, args.layers)
    model, first = grow(args.small, args.extra)
    stds = spread(model, first)
    for name, std in stds.items():
        log.info("%s std %.4g", name, std)
    bad = [n for n, s in stds.items() if not 0.005 < s < 0.08]
    if bad:
        raise FloatingPointError(f"added layers are not initialised: {', '.join(bad)}")
    with torch.no_grad():
        out = model.eval()(torch.tensor([[1, 2, 3]])).last_hidden_state
    assert out.isfinite().all()


if __name__ == "__main__":
    main()
