"""One start of the bot."""

import logging

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

log = logging.getLogger("bot")
PLACES = {
    "model.embed_tokens": "cpu",
    "model.layers.0": "cpu",
    "model.layers.1": "disk",
    "model.layers.2": "disk",
    "model.norm": "cpu",
    "model.rotary_emb": "cpu",
    "lm_head": "cpu",
}


def start(base, persona):
    log.info("loading %s with %s", base, persona)
    model = AutoModelForCausalLM.from_pretrained(base, device_map=PLACES, offload_folder="spill")
    places = {f"base_model.model.{name}": place for name, place in PLACES.items()}
    return PeftModel.from_pretrained(model, persona, device_map=places, low_cpu_mem_usage=True).eval()


@torch.no_grad()
def reply(model, prompt, length=4):
    ids = prompt
    for _ in range(length):
        ids = torch.cat([ids, model(input_ids=ids).logits[:, -1:].argmax(-1)], dim=1)
    return ids[0, prompt.shape[1] :].tolist()
