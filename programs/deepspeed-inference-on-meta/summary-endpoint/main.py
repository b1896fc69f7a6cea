"""endpoint.py: next words, served by a DeepSpeed engine."""

import json
import logging

import deepspeed
import torch
from transformers import AutoConfig, AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("endpoint")


def release(folder):
    torch.manual_seed(3)
    config = GPT2Config(vocab_size=40, n_embd=16, n_layer=1, n_head=2, n_positions=32)
    model = GPT2LMHeadModel(config).eval()
    model.save_pretrained(folder)
    torch.save(model.state_dict(), f"{folder}/weights.pt")
    listing = {"type": "ds_model", "version": 1.0, "checkpoints": [f"{folder}/weights.pt"]}
    with open(f"{folder}/ds.json", "w") as file:
        json.dump(listing, file)
    return model


class Endpoint:
    def __init__(self, folder):
        config = AutoConfig.from_pretrained(folder)
        with deepspeed.OnDevice(dtype=torch.float32, device="meta"):
            model = AutoModelForCausalLM.from_config(config)
        self.engine = deepspeed.init_inference(
            model.eval(), dtype=torch.float32, checkpoint=f"{folder}/ds.json"
        )
        log.info("engine is up")

    @torch.no_grad()
    def post(self, body):
        logits = self.engine(torch.tensor([json.loads(body)["ids"]])).logits[0, -1]
        return {"next": logits.topk(3).indices.tolist()}


def main():
    original = release("gpt2-release")
    answer = Endpoint("gpt2-release").post('{"ids": [5, 6, 7]}')
    log.info("answered %s", answer)
    wanted = original(torch.tensor([[5, 6, 7]])).logits[0, -1].topk(3).indices.tolist()
    assert answer["next"] == wanted, f"wanted {wanted}"


if __name__ == "__main__":
    main()
