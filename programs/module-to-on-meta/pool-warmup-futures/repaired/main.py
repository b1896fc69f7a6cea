"""Warm several classifiers before traffic is switched over."""

import argparse
import logging
from concurrent.futures import ThreadPoolExecutor

import torch
from transformers import BertConfig, BertForSequenceClassification

log = logging.getLogger("warmup")
NAMES = ["spam", "abuse", "topic"]


def config():
    return BertConfig(
        vocab_size=64,
        hidden_size=24,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )


def publish(name):
    torch.manual_seed(sum(name.encode()))
    model = BertForSequenceClassification(config()).eval()
    torch.save({"state": model.state_dict()}, f"{name}.bin")
    return model


class Warm:
    def __init__(self, name, device):
        self.name = name
        self.path = f"{name}.bin"
        self.device = device

    def build(self):
        with torch.device("meta"):
            model = BertForSequenceClassification(config())
        log.info("%s: structure built on %s", self.name, model.device)
        state = torch.load(self.path, map_location=self.device, weights_only=True)["state"]
        model.load_state_dict(state, assign=True)
        return model

    def __call__(self):
        model = self.build()
        for key, module in model.named_modules():
            if key.endswith("embeddings"):
                module.position_ids = torch.arange(32)[None]
                module.token_type_ids = torch.zeros(1, 32, dtype=torch.long)
        return self.name, model.eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(threadName)s:%(message)s")
    references = {name: publish(name) for name in NAMES}
    with ThreadPoolExecutor(args.workers, thread_name_prefix="warm") as pool:
        futures = [pool.submit(Warm(name, args.device)) for name in NAMES]
        models = dict(f.result() for f in futures)
    ids = torch.tensor([[2, 10, 11, 3]])
    for name, model in models.items():
        with torch.no_grad():
            assert torch.allclose(model(ids).logits, references[name](ids).logits, atol=1e-5), name
    log.info("warm: %s", ", ".join(models))


if __name__ == "__main__":
    main()
