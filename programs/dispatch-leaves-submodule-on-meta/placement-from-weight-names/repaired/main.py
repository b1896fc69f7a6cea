"""Generate with a placement table in YAML-ish text, one `name: device` per line."""

import logging

import torch
from transformers import LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(name)s] %(message)s")
log = logging.getLogger("placement")

TABLE = """
# name               device
model                cpu
lm_head              disk
"""
CFG = LlamaConfig(
    vocab_size=96,
    hidden_size=24,
    intermediate_size=48,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=4,
    max_position_embeddings=48,
)


def parse(text):
    placement = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            name, device = line.split()
            placement[name] = device
    return placement


def prepare(folder):
    torch.manual_seed(17)
    model = LlamaForCausalLM(CFG).eval()
    model.save_pretrained(folder)
    return model


def perplexity(model, ids):
    with torch.no_grad():
        loss = model(ids, labels=ids).loss
    return loss.exp().item()


def main():
    reference = prepare("ckpt")
    placement = parse(TABLE)
    log.info("placement %s", placement)
    model = LlamaForCausalLM.from_pretrained("ckpt", device_map=placement, offload_folder="spill").eval()
    ids = torch.arange(4, 40)[None]
    want, got = perplexity(reference, ids), perplexity(model, ids)
    log.info("perplexity %.3f (in memory %.3f)", got, want)
    if not abs(got - want) < 0.01 * want:
        raise FloatingPointError(f"perplexity {got} is not the {want:.3f} of the model in memory")


main()
