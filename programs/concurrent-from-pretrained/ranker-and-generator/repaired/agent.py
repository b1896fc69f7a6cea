"""A retrieval agent with two models. start() may be called again after a configuration change."""

import logging

import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

log = logging.getLogger("agent")
PARTS = {"retriever": (AutoModelForMaskedLM, "retriever"), "generator": (AutoModelForCausalLM, "generator")}


class AgentError(Exception):
    pass


def load(name):
    cls, path = PARTS[name]
    model = cls.from_pretrained(path)
    log.debug("%s loaded", name)
    return model.to("cpu").eval()


class Agent:
    def start(self):
        for name in PARTS:
            try:
                setattr(self, name, load(name))
            except Exception as e:
                raise AgentError(f"{name} did not start: {e}") from e

    @torch.no_grad()
    def ask(self, ids):
        context = self.retriever(torch.tensor([ids])).logits.argmax(-1)
        return self.generator(context).logits[0, -1].argmax().item()
