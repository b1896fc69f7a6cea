"""Zero-shot scorer for product titles. Small machines keep the embedding on disk."""

import json
import logging
import sys

import torch
from transformers import AutoModelForCausalLM, MistralConfig, MistralForCausalLM

log = logging.getLogger("titles")
LAYERS = 2


def fake_download(path):
    torch.manual_seed(52)
    MistralForCausalLM(
        MistralConfig(
            vocab_size=128,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=LAYERS,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=64,
        )
    ).save_pretrained(path)


class TitleScorer:
    def __init__(self, path, on_disk):
        names = ["model.embed_tokens", *(f"model.layers.{i}" for i in range(LAYERS)), "model.norm", "lm_head"]
        placement = {n: "disk" if n in on_disk else "cpu" for n in names}
        placement["model.rotary_emb"] = "cpu"
        self.model = AutoModelForCausalLM.from_pretrained(
            path, device_map=placement, offload_folder=path + "/spill"
        ).eval()

    @torch.no_grad()
    def score(self, title):
        ids = torch.tensor([[min(ord(c), 127) for c in title]])
        device_type = "cpu" if self.model.device.type == "meta" else self.model.device.type
        with torch.autocast(device_type=device_type, dtype=torch.bfloat16):
            loss = self.model(ids, labels=ids).loss
        return -loss.float().item()


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    fake_download("titles-model")
    scorer = TitleScorer("titles-model", on_disk={"model.embed_tokens"})
    for title in ("red chair", "xq#!~~ 9"):
        record = {"title": title}
        try:
            record["score"] = round(scorer.score(title), 3)
        except Exception as e:
            log.exception("scoring %r", title)
            record["error"] = repr(e)
        print(json.dumps(record))
        if "error" in record:
            sys.exit(1)


main()
