"""Minimal chat backend. `python main.py` answers one prompt and exits."""

import logging
import time

import torch
from backend_files import CONFIG, ensure_weights
from safetensors.torch import load_file
from transformers import LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("chat.backend")


class BackendNotReady(RuntimeError):
    pass


def skeleton():
    from accelerate import init_empty_weights

    with init_empty_weights():
        return LlamaForCausalLM(CONFIG)


class Backend:
    def __init__(self, weights, device="cpu", attempts=2):
        self.weights, self.device, self.attempts = weights, torch.device(device), attempts
        self.model = None

    def _load(self):
        model = skeleton()
        state = load_file(self.weights)
        model.load_state_dict(state)
        log.info("%d tensors loaded from %s", len(state), self.weights)
        return model.to(self.device).eval()

    def start(self):
        last = None
        for n in range(1, self.attempts + 1):
            try:
                self.model = self._load()
                return self
            except NotImplementedError as e:
                last = e
                log.error("attempt %d/%d failed: %s", n, self.attempts, e)
                time.sleep(0.05)
        raise BackendNotReady(f"model could not be started after {self.attempts} attempts") from last

    @torch.inference_mode()
    def answer(self, ids):
        return self.model.generate(ids, max_new_tokens=4, do_sample=False, pad_token_id=0)[0].tolist()


if __name__ == "__main__":
    backend = Backend(ensure_weights("chat.safetensors")).start()
    out = backend.answer(torch.tensor([[5, 9, 12]]))
    log.info("answer %s", out)
    assert len(out) == 7
