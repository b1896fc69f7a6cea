"""Stack layers on a small Llama for continued pretraining."""

import argparse
import logging
import sys

import torch
from transformers import LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
log = logging.getLogger("stack")


def base(folder):
    torch.manual_seed(19)
    config = LlamaConfig(
        vocab_size=40,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
    )
    LlamaForCausalLM(config).save_pretrained(folder)


def stack(folder, extra):
    config = LlamaConfig.from_pretrained(folder)
    config.num_hidden_layers += extra
    model = LlamaForCausalLM(config)
    source = LlamaForCausalLM.from_pretrained(folder)
    result = model.load_state_dict(source.state_dict(), strict=False)
    assert not result.unexpected_keys, result
    log.info("stacked to %d layers", config.num_hidden_layers)
    return model


def check_norms(model, first):
    bad = []
    for n, layer in enumerate(model.model.layers[first:], first):
        for name in ("input_layernorm", "post_attention_layernorm"):
            weight = getattr(layer, name).weight
            if not torch.equal(weight, torch.ones_like(weight)):
                bad.append(f"{n}.{name} ({weight.min().item():.3g}..{weight.max().item():.3g})")
    return bad


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", default="llama-base")
    ap.add_argument("--extra", type=int, default=2)
    args = ap.parse_args()
    base(args.base)
    model = stack(args.base, args.extra)
    bad = check_norms(model, first=2)
    if bad:
        log.error("new norm weights are not one: %s", ", ".join(bad))
        return 1
    ids = torch.arange(16).reshape(2, 8)
    loss = model(input_ids=ids, labels=ids).loss
    log.info("loss %.4f", loss.item())
    assert loss.isfinite()
    return 0


if __name__ == "__main__":
    sys.exit(main())
