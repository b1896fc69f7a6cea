import argparse
import logging

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

logging.basicConfig(level=logging.INFO, format="%(message)s")


def parse(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--disk", nargs="+", default=["transformer.h.0", "transformer.h.1"], help="modules that go to disk"
    )
    parser.add_argument("--prompt", type=int, nargs="+", default=[11, 22, 33])
    return parser.parse_args(argv)


def write(path):
    torch.manual_seed(3)
    config = GPT2Config(
        vocab_size=70, n_positions=16, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0
    )
    model = GPT2LMHeadModel(config).eval()
    model.save_pretrained(path)
    return model


def load(path, disk):
    parts = ["wte", "wpe", "drop", "h.0", "h.1", "ln_f"]
    device_map = {f"transformer.{part}": "cpu" for part in parts} | {"lm_head": "cpu"}
    unknown = set(disk) - set(device_map)
    if unknown:
        raise SystemExit(f"no such module: {', '.join(sorted(unknown))}")
    device_map.update(dict.fromkeys(disk, "disk"))
    return AutoModelForCausalLM.from_pretrained(path, device_map=device_map, offload_folder="disk").eval()


@torch.inference_mode()
def top(model, prompt, k=3):
    return model(torch.tensor([prompt])).logits[0, -1].topk(k).indices.tolist()


if __name__ == "__main__":
    options = parse()
    want = top(write("gpt2-tied"), options.prompt)
    got = top(load("gpt2-tied", options.disk), options.prompt)
    logging.info("candidates %s", got)
    assert got == want
