import argparse
import json
import logging
import sys

import torch
from session import Session
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM

log = logging.getLogger("agent")


def model_files(path):
    torch.manual_seed(110)
    config = Qwen2Config(
        vocab_size=70,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        tie_word_embeddings=False,
    )
    model = Qwen2ForCausalLM(config).eval()
    model.save_pretrained(path)
    return model


def open_model(path, disk):
    modules = ["embed_tokens", "layers.0", "layers.1", "norm", "rotary_emb"]
    names = ["lm_head", *(f"model.{name}" for name in modules)]
    device_map = {name: "disk" if name in disk else "cpu" for name in names}
    return AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder="spill").eval()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--disk", nargs="*", default=["model.embed_tokens", "lm_head"])
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    plain = Session(model_files("qwen"), [1, 2, 3])
    agent = Session(open_model("qwen", args.disk), [1, 2, 3])
    for turn in range(args.turns):
        call = agent.turn([10 + turn], limit=3)
        log.info(json.dumps({"turn": turn, "call": call}))
        if call != plain.turn([10 + turn], limit=3):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
