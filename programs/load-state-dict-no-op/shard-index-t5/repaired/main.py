"""Translate token ids with a T5 that is loaded shard by shard."""

import argparse
import json
import logging
from pathlib import Path

import torch
from accelerate import init_empty_weights
from safetensors import safe_open
from transformers import AutoConfig, AutoModelForSeq2SeqLM, T5Config, T5ForConditionalGeneration

log = logging.getLogger("translate")


def export(folder):
    torch.manual_seed(19)
    config = T5Config(
        vocab_size=64, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0
    )
    model = T5ForConditionalGeneration(config).eval()
    model.save_pretrained(folder, max_shard_size="60KB")
    return model


def read_shards(folder):
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    names = sorted(set(index["weight_map"].values()))
    log.info("%d tensors in %d shards", len(index["weight_map"]), len(names))
    for name in names:
        with safe_open(folder / name, framework="pt") as f:
            yield {k: f.get_tensor(k) for k in f.keys()}  # noqa: SIM118


def load(folder, dtype, device):
    config = AutoConfig.from_pretrained(folder)
    with init_empty_weights():
        model = AutoModelForSeq2SeqLM.from_config(config)
    for shard in read_shards(folder):
        model.load_state_dict(shard, strict=False, assign=True)
    model.tie_weights()
    model = model.to(dtype)
    return model.to(device).eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folder", type=Path, default=Path("t5-shards"))
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    reference = export(args.folder)
    model = load(args.folder, torch.float32, args.device)
    ids = torch.tensor([[5, 6, 7, 1]])
    start = torch.tensor([[0, 3, 9]])
    with torch.no_grad():
        got = model(input_ids=ids, decoder_input_ids=start).logits
        want = reference(input_ids=ids, decoder_input_ids=start).logits
    assert torch.allclose(got, want, atol=1e-4)
    log.info("next token %d", got[0, -1].argmax())


if __name__ == "__main__":
    main()
