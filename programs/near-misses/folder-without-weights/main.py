"""Start-up check of a model registry; every entry must load on the CPU."""

import json
import logging
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

log = logging.getLogger("registry")


def register(root):
    config = GPT2Config(vocab_size=30, n_positions=8, n_embd=8, n_layer=1, n_head=1)
    GPT2LMHeadModel(config).save_pretrained(root / "complete")
    config.save_pretrained(root / "config-only")


def check(folder):
    try:
        model = AutoModelForCausalLM.from_pretrained(folder, low_cpu_mem_usage=True)
    except Exception as e:
        return {"name": folder.name, "ok": False, "error": f"{type(e).__name__}: {e}"}
    on_meta = sum(p.is_meta for p in model.parameters())
    return {"name": folder.name, "ok": on_meta == 0, "on_meta": on_meta}


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
    torch.manual_seed(0)
    root = Path("registry")
    register(root)
    results = [check(folder) for folder in sorted(root.iterdir())]
    for result in results:
        log.info("%s", json.dumps(result))
    return 0 if all(r["ok"] for r in results) else 1


if __name__ == "__main__":
    sys.exit(main())
