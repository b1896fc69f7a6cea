"""Nightly update of a language model that is served with a disk map."""

import argparse
import logging

import torch
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("update")
MAP = {
    "model.embed_tokens": "cpu",
    "model.layers.0": "cpu",
    "model.layers.1": "disk",
    "model.norm": "cpu",
    "model.rotary_emb": "cpu",
    "lm_head": "cpu",
}


def fresh(seed):
    torch.manual_seed(seed)
    config = Qwen2Config(
        vocab_size=50,
        hidden_size=24,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    return Qwen2ForCausalLM(config).eval()


def serve(folder, offload):
    return AutoModelForCausalLM.from_pretrained(folder, device_map=MAP, offload_folder=offload).eval()


def update(model, trained):
    del model
    trained.save_pretrained("tonight")
    log.info("update: serving the checkpoint of tonight")
    return serve("tonight", "tonight-offload")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folder", default="served")
    ap.add_argument("--offload", default="served-offload")
    args = ap.parse_args()
    fresh(1).save_pretrained(args.folder)
    model = serve(args.folder, args.offload)
    trained = fresh(2)
    model = update(model, trained)
    ids = torch.tensor([[1, 2, 3, 4]])
    with torch.no_grad():
        gap = (model(ids).logits - trained(ids).logits).abs().max().item()
    log.info("difference from tonight's model: %.6f", gap)
    if gap > 1e-4:
        raise AssertionError("the served model is neither the old nor the new one")


if __name__ == "__main__":
    main()
