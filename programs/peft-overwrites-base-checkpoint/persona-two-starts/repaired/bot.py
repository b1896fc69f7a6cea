"""One start of the bot."""

import logging

import torch
from accelerate import disk_offload
from peft import PeftModel
from transformers import AutoModelForCausalLM

log = logging.getLogger("bot")


def start(base, persona):
    log.info("loading %s with %s", base, persona)
    model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base), persona).eval()
    return disk_offload(model, "spill", execution_device=torch.device("cpu"))


@torch.no_grad()
def reply(model, prompt, length=4):
    ids = prompt
    for _ in range(length):
        ids = torch.cat([ids, model(input_ids=ids).logits[:, -1:].argmax(-1)], dim=1)
    return ids[0, prompt.shape[1] :].tolist()
