"""Take a checkpoint that was opened with a device map and turn it into an ordinary module."""

import argparse
import logging
import sys

import torch
from accelerate.hooks import remove_hook_from_module
from transformers import AutoModelForCausalLM, PhiConfig, PhiForCausalLM

log = logging.getLogger("unhook")
PROBE = torch.tensor([[3, 1, 4, 1, 5]])


def write(path):
    torch.manual_seed(9)
    model = PhiForCausalLM(
        PhiConfig(
            vocab_size=50,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=3,
            num_attention_heads=4,
            max_position_embeddings=32,
            pad_token_id=0,
        )
    )
    model.save_pretrained(path)
    with torch.no_grad():
        return model.eval()(PROBE).logits


def open_model(path, disk_layers):
    layers = {f"model.layers.{i}": "disk" if i in disk_layers else "cpu" for i in range(3)}
    rest = dict.fromkeys(
        ("model.embed_tokens", "model.final_layernorm", "model.rotary_emb", "model.embed_dropout", "lm_head"),
        "cpu",
    )
    return AutoModelForCausalLM.from_pretrained(path, device_map={**rest, **layers}, offload_folder="tmp_off")


def plain(model, device, dtype=torch.float32):
    """accelerate blocks .to(), so its hooks have to go first"""
    remove_hook_from_module(model, recurse=True)
    return model.to(device=device, dtype=dtype)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("path", nargs="?", default="phi-tiny")
    ap.add_argument("--disk-layers", type=int, nargs="+", default=[2])
    args = ap.parse_args()
    logging.basicConfig(level=logging.DEBUG, format="%(name)s %(levelname)s %(message)s")
    logging.getLogger("urllib3").setLevel("WARNING")
    want = write(args.path)
    model = plain(open_model(args.path, args.disk_layers), "cpu").eval()
    with torch.no_grad():
        difference = (model(PROBE).logits - want).abs().max().item()
    log.info("difference %.2e", difference)
    sys.exit(difference > 1e-5)
