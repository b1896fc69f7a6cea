"""Publish a merged model: weights, digest and a manifest."""

import hashlib
import json
import logging
import pathlib
import shutil

import torch
from accelerate import disk_offload
from accelerate.utils.modeling import get_state_dict_offloaded_model
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import GPT2Config, GPT2LMHeadModel

logging.basicConfig(level=logging.INFO, format="%(asctime)s publish %(levelname)s %(message)s")
OUT = pathlib.Path("publish")
IDS = torch.tensor([[1, 2, 3, 4]])


def tuned_model():
    torch.manual_seed(50)
    config = GPT2Config(n_layer=2, n_embd=24, n_head=2, vocab_size=40, n_positions=16)
    config.tie_word_embeddings = False
    lora = LoraConfig(r=2, target_modules=["c_attn"], init_lora_weights=False, fan_in_fan_out=True)
    return get_peft_model(GPT2LMHeadModel(config), lora).eval()


def merge_on_disk(model):
    disk_offload(model, "offload", execution_device=torch.device("cpu"))
    merged = model.merge_and_unload()
    logging.info("merged")
    return merged


def weights_of(merged):
    return {k: v.contiguous() for k, v in get_state_dict_offloaded_model(merged).items()}


def write(state):
    OUT.mkdir(exist_ok=True)
    path = OUT / "model.safetensors"
    save_file(state, path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = {"file": path.name, "sha256": digest, "tensors": len(state)}
    (OUT / "manifest.json").write_text(json.dumps(manifest, indent=1))
    return manifest


def main():
    model = tuned_model()
    with torch.no_grad():
        want = model(IDS).logits
    state = weights_of(merge_on_disk(model))
    try:
        manifest = write(state)
    except Exception:
        shutil.rmtree(OUT, ignore_errors=True)
        logging.exception("publishing failed, removed %s", OUT)
        raise SystemExit(1) from None
    logging.info("published %s", manifest)
    fresh = GPT2LMHeadModel(model.base_model.model.config).eval()
    fresh.load_state_dict(state)
    with torch.no_grad():
        assert torch.allclose(fresh(IDS).logits, want, atol=1e-4)


if __name__ == "__main__":
    main()
