import argparse
import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel


def make_checkpoint(path: Path) -> None:
    if (path / "config.json").exists():
        return
    config = GPT2Config(
        vocab_size=300, n_positions=40, n_embd=16, n_layer=2, n_head=2, tie_word_embeddings=False
    )
    GPT2LMHeadModel(config).save_pretrained(path)


def big_tensors(path: Path, limit: int) -> list[str]:
    """Names of the tensors above the limit, straight from the file's header."""
    raw = (path / "model.safetensors").read_bytes()
    header = json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")])
    header.pop("__metadata__", None)
    return [n for n, t in header.items() if t["data_offsets"][1] - t["data_offsets"][0] > limit]


def build_map(path: Path, limit: int) -> dict[str, str]:
    device_map = {
        "transformer.wpe": "cpu",
        "transformer.h": "cpu",
        "transformer.ln_f": "cpu",
        "lm_head": "cpu",
    }
    for name in big_tensors(path, limit):
        if name.startswith("lm_head"):
            continue
        name = name if name.startswith("transformer.") else "transformer." + name
        device_map[name] = "disk"
    return device_map


def main() -> int:
    cli = argparse.ArgumentParser()
    cli.add_argument("--model", type=Path, default=Path("gpt2-small-vocab"))
    cli.add_argument("--disk-above", type=int, default=16_000, help="bytes")
    cli.add_argument("--tokens", type=int, nargs="*", default=[7, 7, 9])
    opt = cli.parse_args()
    torch.manual_seed(2)
    make_checkpoint(opt.model)
    device_map = build_map(opt.model, opt.disk_above)
    print("device_map =", json.dumps(device_map, indent=1))
    model = AutoModelForCausalLM.from_pretrained(
        opt.model, device_map=device_map, offload_folder=str(opt.model / "offload")
    )
    out = model.generate(torch.tensor([opt.tokens]), max_new_tokens=4, do_sample=False, pad_token_id=0)
    print("generated", out[0].tolist())
    plain = AutoModelForCausalLM.from_pretrained(opt.model)
    same = plain.generate(torch.tensor([opt.tokens]), max_new_tokens=4, do_sample=False, pad_token_id=0)
    return 0 if torch.equal(out, same) else 1


if __name__ == "__main__":
    sys.exit(main())
