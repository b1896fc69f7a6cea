"""Serve a small base model from disk; ids come from another team's tokenizer."""

import logging

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("serve")
LAYOUT = {
    "model.embed_tokens": "cpu",
    "model.layers.0": "cpu",
    "model.layers.1": "disk",
    "model.norm": "cpu",
    "model.rotary_emb": "cpu",
    "lm_head": "cpu",
}


def demo(path):
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=100,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    LlamaForCausalLM(config).save_pretrained(path)


def answer(model, ids):
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits[0, -1].argmax().item()


def main():
    demo("base")
    model = AutoModelForCausalLM.from_pretrained("base", device_map=LAYOUT, offload_folder="off").eval()
    log.info("placed %s", model.hf_device_map)
    for request in ([4, 8, 15], [16, 23, 42], [101, 7, 9]):
        log.info("%s -> %d", request, answer(model, request))


if __name__ == "__main__":
    main()
