"""Run a mixture-of-experts model that is larger than memory."""

import argparse
import logging
import sys

import torch
from transformers import AutoModelForCausalLM, MixtralConfig, MixtralForCausalLM

log = logging.getLogger("moe-chat")


def demo(path):
    torch.manual_seed(15)
    config = MixtralConfig(
        vocab_size=60,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_local_experts=4,
        max_position_embeddings=64,
        sliding_window=None,
    )
    model = MixtralForCausalLM(config).eval()
    model.save_pretrained(path)
    return model


class Chat:
    def __init__(self, path, keep, disk_dir):
        layers = {f"model.layers.{n}": "cpu" if n < keep else "disk" for n in range(2)}
        self.map = {
            "model.embed_tokens": "cpu",
            **layers,
            "model.norm": "cpu",
            "model.rotary_emb": "cpu",
            "lm_head": "cpu",
        }
        log.info("disk layers: %s (folder %s)", [k for k, v in layers.items() if v == "disk"], disk_dir)
        self.model = AutoModelForCausalLM.from_pretrained(path, device_map=self.map, offload_folder=disk_dir)

    @torch.inference_mode()
    def reply(self, ids):
        return self.model(torch.tensor([ids])).logits[0, -1]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--path", default="mixtral-tiny")
    p.add_argument("--keep", type=int, default=1)
    p.add_argument("--disk-dir", default="experts")
    a = p.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s")
    reference = demo(a.path)
    chat = Chat(a.path, a.keep, a.disk_dir)
    logits = chat.reply([1, 9, 27])
    want = reference(torch.tensor([[1, 9, 27]])).logits[0, -1]
    assert torch.allclose(logits, want, atol=1e-4)
    log.info("next %d", logits.argmax())


if __name__ == "__main__":
    main()
