"""Chat with a local checkpoint: python main.py --say "hello there" """

import argparse
import logging
import sys

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

LOG = logging.getLogger("chat")


class CharTokenizer:
    """One token per character; enough for the demo checkpoint."""

    def encode(self, text):
        return torch.tensor([[ord(c) % 96 for c in text]])

    def decode(self, ids):
        return "".join(chr(32 + i) for i in ids)


def demo_checkpoint(path):
    torch.manual_seed(14)
    config = LlamaConfig(
        vocab_size=96,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=128,
    )
    LlamaForCausalLM(config).save_pretrained(path)


def load(path, spill):
    names = ["model.embed_tokens", "model.layers.0", "model.layers.1", "model.norm", "lm_head"]
    device_map = {name: "disk" if i < spill else "cpu" for i, name in enumerate(names)}
    device_map["model.rotary_emb"] = "cpu"
    LOG.info("device map %s", device_map)
    return AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder="offload").eval()


@torch.inference_mode()
def reply(model, tokenizer, text, tokens):
    devices = [d for d in model.hf_device_map.values() if d not in ("cpu", "disk")]
    ids = tokenizer.encode(text).to(devices[0] if devices else "cpu")
    for _ in range(tokens):
        logits = model(ids).logits[:, -1]
        ids = torch.cat([ids, logits.argmax(-1, keepdim=True)], -1)
    return tokenizer.decode(ids[0, -tokens:].tolist())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="demo-llama")
    p.add_argument("--say", default="hello there")
    p.add_argument("--spill", type=int, default=2, help="how many parts go to disk")
    a = p.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
    demo_checkpoint(a.model)
    answer = reply(load(a.model, a.spill), CharTokenizer(), a.say, 6)
    print("bot>", repr(answer))
    sys.exit(len(answer) != 6)
