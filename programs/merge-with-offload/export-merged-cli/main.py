"""merge_adapter.py: base + LoRA -> standalone folder."""

import argparse
import logging
from pathlib import Path

import torch
from accelerate import cpu_offload
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

logger = logging.getLogger("merge_adapter")


def write_demo(base_dir: Path, adapter_dir: Path):
    torch.manual_seed(1)
    cfg = LlamaConfig(
        vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4
    )
    base = LlamaForCausalLM(cfg)
    base.save_pretrained(base_dir)
    lora = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    tuned = get_peft_model(base, lora)
    tuned.save_pretrained(adapter_dir)


def merge(args):
    logger.info("loading base from %s", args.base)
    model = AutoModelForCausalLM.from_pretrained(args.base)
    if args.low_vram:
        model = cpu_offload(model, execution_device=torch.device(args.device))
    model = PeftModel.from_pretrained(model, str(args.adapter))
    logger.info("merging %s", args.adapter)
    merged = model.merge_and_unload(progressbar=False)
    merged.save_pretrained(args.out)
    logger.info("saved to %s", args.out)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--base", type=Path, default=Path("base"))
    p.add_argument("--adapter", type=Path, default=Path("adapter"))
    p.add_argument("--out", type=Path, default=Path("merged"))
    p.add_argument("--device", default="cpu")
    p.add_argument("--no-low-vram", dest="low_vram", action="store_false")
    return p.parse_args()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    args = parse()
    if not args.base.exists():
        write_demo(args.base, args.adapter)
    merge(args)
    ids = torch.tensor([[1, 2, 3, 4]])
    want = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(args.base), str(args.adapter))(ids)
    got = AutoModelForCausalLM.from_pretrained(args.out)(ids)
    assert torch.allclose(want.logits, got.logits, atol=1e-4)
