"""prune.py: keep some layers of a checkpoint and write the smaller one."""

import argparse
import logging
import sys

import torch
from accelerate import Accelerator, init_empty_weights
from safetensors.torch import load_file
from surgery import keep_layers
from transformers import LlamaConfig, LlamaForCausalLM

logger = logging.getLogger("prune")


def original(path):
    torch.manual_seed(91)
    config = LlamaConfig(
        vocab_size=56,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=4,
        num_attention_heads=2,
        num_key_value_heads=2,
    )
    model = LlamaForCausalLM(config)
    model.save_pretrained(path)
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", default="llama-4")
    parser.add_argument("--target", default="llama-2")
    parser.add_argument("--keep", type=int, nargs="+", default=[0, 3])
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    big = original(args.source)
    accelerator = Accelerator(cpu=True)
    config = LlamaConfig.from_pretrained(args.source)
    with init_empty_weights():
        model = LlamaForCausalLM(config)
    model = keep_layers(model, args.keep)
    logger.info("%d layers, %d parameters", len(model.model.layers), model.num_parameters())
    accelerator.save_model(model, args.target)
    written = load_file(f"{args.target}/model.safetensors")
    kept = big.model.layers[args.keep[-1]].mlp.up_proj.weight
    same = torch.equal(written[f"model.layers.{len(args.keep) - 1}.mlp.up_proj.weight"], kept)
    logger.info("written %d tensors, check %s", len(written), same)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
