"""Add chat markers to a base model and run one turn."""

import argparse
import logging

import torch
from transformers import AutoModelForCausalLM, MistralConfig, MistralForCausalLM

logger = logging.getLogger("add_markers")
MARKERS = ["<|user|>", "<|bot|>", "<|end|>"]


def base_model(path):
    torch.manual_seed(20)
    config = MistralConfig(
        vocab_size=61,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        sliding_window=None,
        bos_token_id=1,
        eos_token_id=2,
    )
    MistralForCausalLM(config).save_pretrained(path)


def get_model(path, offload):
    device_map = {
        "model.embed_tokens": "cpu",
        "model.layers.0": "cpu",
        "model.layers.1": "disk",
        "model.norm": "cpu",
        "model.rotary_emb": "cpu",
        "lm_head": "cpu",
    }
    return AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder=offload)


def chat(model, vocab):
    ids = torch.tensor([[1, vocab - 3, 10, 11, vocab - 1, vocab - 2]])
    with torch.no_grad():
        out = model.generate(
            ids, attention_mask=torch.ones_like(ids), max_new_tokens=3, min_new_tokens=3, do_sample=False
        )
    return out[0, ids.shape[1] :].tolist()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", default="mistral-base")
    ap.add_argument("--offload", default="offload")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s | %(message)s")
    base_model(args.base)
    model = get_model(args.base, args.offload)
    vocab = model.config.vocab_size + len(MARKERS)
    logger.info("resizing embeddings to %d", vocab)
    model.resize_token_embeddings(vocab, mean_resizing=False)
    logger.info("reply %s", chat(model, vocab))


if __name__ == "__main__":
    main()
