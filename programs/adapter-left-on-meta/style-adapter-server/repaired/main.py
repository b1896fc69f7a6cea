"""Serve the base model with one adapter. The pod has little memory, so the tail goes to disk."""

import logging

import tiny
import torch
from accelerate import dispatch_model
from peft import PeftModel
from transformers import AutoModelForCausalLM

log = logging.getLogger("serve")


def placement(layers: int, in_memory: int) -> dict[str, str]:
    table = {"model.embed_tokens": "cpu", "model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}
    for i in range(layers):
        table[f"model.layers.{i}"] = "cpu" if i < in_memory else "disk"
    return {f"base_model.model.{name}": device for name, device in table.items()}


def load(base: str, adapter: str):
    model = AutoModelForCausalLM.from_pretrained(base)
    log.info("base loaded, attaching %s", adapter)
    model = PeftModel.from_pretrained(model, adapter)
    model = dispatch_model(model, placement(2, in_memory=1), main_device="cpu", offload_dir="offload")
    return model.eval()


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    expected = tiny.publish()
    try:
        model = load("hub/base", "hub/haiku")
    except Exception:
        log.exception("startup failed")
        raise SystemExit(3) from None
    with torch.no_grad():
        logits = model(tiny.PROMPT).logits[0, -1]
    log.info("next token %d, expected %d", logits.argmax(), expected.argmax())
    torch.testing.assert_close(logits, expected, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    main()
