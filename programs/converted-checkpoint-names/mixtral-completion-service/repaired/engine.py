"""The model behind the service."""

import logging

import torch
from transformers import AutoConfig, AutoModelForCausalLM

log = logging.getLogger("completions.engine")


class Engine:
    def __init__(self, release, device):
        config = AutoConfig.from_pretrained(release)
        log.info("building %s for %s", config.model_type, device)
        self.net = AutoModelForCausalLM.from_pretrained(release, device_map=device).eval()

    @torch.inference_mode()
    def next_token(self, ids):
        return int(self.net(ids).logits[0, -1].argmax())
