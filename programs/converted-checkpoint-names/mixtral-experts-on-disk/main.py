"""Summaries on a small machine: what does not fit lies on disk."""

import argparse
import pathlib
import tempfile

import torch
from placing import load_spread
from transformers import MixtralConfig, MixtralForCausalLM


def fetch(folder):
    torch.manual_seed(8)
    net = MixtralForCausalLM(
        MixtralConfig(
            vocab_size=90,
            hidden_size=16,
            intermediate_size=24,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            num_local_experts=2,
            bos_token_id=1,
            eos_token_id=2,
            pad_token_id=0,
        )
    )
    net.save_pretrained(folder)
    return net.eval()


def summarise(net, prompt, length):
    with torch.no_grad():
        return net.generate(prompt, max_new_tokens=length, do_sample=False)[0, prompt.shape[1] :].tolist()


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--length", type=int, default=3)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(dir=".") as scratch:
        weights = pathlib.Path(scratch) / "weights"
        whole = fetch(weights)
        net = load_spread(weights, pathlib.Path(scratch) / "spill")
        prompt = torch.tensor([[1, 30, 31, 32]])
        words = summarise(net, prompt, args.length)
        print("summary:", *words)
        assert words == summarise(whole, prompt, args.length)


if __name__ == "__main__":
    main()
