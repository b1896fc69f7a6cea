"""Model server with a start-up check, as deployed by the platform team."""

import json
import logging
import sys

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

FORMAT = '{"lvl":"%(levelname)s","logger":"%(name)s","msg":"%(message)s"}'
logging.basicConfig(level=logging.INFO, format=FORMAT)
log = logging.getLogger("model-server")
DEVICE_MAP = {"": "cpu"}


class Unhealthy(Exception):
    pass


def publish(folder):
    torch.manual_seed(6)
    config = LlamaConfig(
        vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4
    )
    LlamaForCausalLM(config).save_pretrained(folder)


def load(folder):
    return AutoModelForCausalLM.from_pretrained(
        folder, device_map=DEVICE_MAP, offload_folder="offload"
    ).eval()


def health(model):
    params = dict(model.named_parameters())
    lost = [n for n, p in params.items() if p.is_meta]
    log.info("%d parameters, %d on meta", len(params), len(lost))
    if lost:
        raise Unhealthy(f"unhealthy: {len(lost)} weights were not loaded, e.g. {lost[0]}")


def serve(model, requests):
    for ids in requests:
        with torch.no_grad():
            nxt = model(torch.tensor([ids])).logits[0, -1].argmax()
        print(json.dumps({"prompt": ids, "next": int(nxt)}))


if __name__ == "__main__":
    publish("release")
    model = load("release")
    try:
        health(model)
    except Unhealthy as e:
        log.critical("%s", e)
        sys.exit(3)
    serve(model, [[1, 2, 3], [9, 8]])
