"""HTTP-style handler around generate()."""

import json
import logging
import sys

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("handler")
DEFAULTS = {"max_new_tokens": 4, "do_sample": False, "pad_token_id": 0, "repitition_penalty": 1.2}


class Handler:
    def __init__(self, folder):
        self.model = AutoModelForCausalLM.from_pretrained(folder, device_map={"": "cpu"}).eval()

    def __call__(self, body):
        request = json.loads(body)
        options = {**DEFAULTS, **request.get("options", {})}
        ids = torch.tensor([request["ids"]]).to(self.model.device)
        try:
            out = self.model.generate(ids, **options)
        except Exception as e:
            log.error("generate failed: %s", e)
            return 500, {"detail": f"{type(e).__name__}: {e}"}
        return 200, {"ids": out[0].tolist()}


def main():
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=30, hidden_size=16, intermediate_size=24, num_hidden_layers=1, num_attention_heads=2
    )
    LlamaForCausalLM(config).save_pretrained("llama")
    status, body = Handler("llama")(json.dumps({"ids": [1, 2, 3]}))
    print(status, json.dumps(body))
    return 0 if status == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
