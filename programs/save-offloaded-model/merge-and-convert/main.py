"""Average two fine-tunings of one base: main.py --a A --b B --out merged"""

import argparse
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, OPTConfig, OPTForCausalLM

SPILL = {"model.decoder.embed_tokens": "cpu", "model.decoder.embed_positions": "cpu"}
SPILL |= {"model.decoder.final_layer_norm": "cpu", "model.decoder.layers": "disk", "lm_head": "cpu"}


def finetunings(*names):
    sizes = {"hidden_size": 24, "ffn_dim": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = OPTConfig(
        vocab_size=50, max_position_embeddings=20, word_embed_proj_dim=24, tie_word_embeddings=False, **sizes
    )
    for seed, name in enumerate(names):
        torch.manual_seed(seed)
        OPTForCausalLM(config).save_pretrained(name)


def average(first, second):
    """Adds half of the difference to the resident weights of the first."""
    other = load_file(Path(second) / "model.safetensors")
    with torch.no_grad():
        for name, parameter in first.named_parameters():
            if not parameter.is_meta:
                parameter.lerp_(other[name], 0.5)


def write(model, folder):
    Path(folder).mkdir(exist_ok=True)
    model.config.save_pretrained(folder)
    save_file(model.state_dict(), Path(folder) / "model.safetensors", metadata={"format": "pt"})


def main():
    cli = argparse.ArgumentParser(description=__doc__)
    for name in ("a", "b", "out"):
        cli.add_argument(f"--{name}", default=name)
    args = cli.parse_args()
    finetunings(args.a, args.b)
    model = AutoModelForCausalLM.from_pretrained(args.a, device_map=SPILL, offload_folder="spill")
    average(model, args.b)
    write(model, args.out)
    merged = AutoModelForCausalLM.from_pretrained(args.out)
    print("merged,", sum(p.numel() for p in merged.parameters()), "parameters")
    shutil.rmtree("spill")


if __name__ == "__main__":
    main()
