"""Gateway with several masked-language models; warm-up in parallel, requests in threads."""

import asyncio
import logging

import torch
from transformers import AutoModelForMaskedLM, DistilBertConfig, DistilBertForMaskedLM

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(threadName)s: %(message)s")
log = logging.getLogger("gateway")
NAMES = [f"domain-{i}" for i in range(8)]


def train_all():
    for i, name in enumerate(NAMES):
        torch.manual_seed(i)
        config = DistilBertConfig(vocab_size=300, dim=48, hidden_dim=96, n_layers=4, n_heads=4)
        DistilBertForMaskedLM(config).save_pretrained(name)


def load(name):
    model = AutoModelForMaskedLM.from_pretrained(name)
    log.info("loaded %s", name)
    return model.to("cpu").eval()


def predict(model, ids):
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits.argmax(-1)[0].tolist()


class Gateway:
    def __init__(self):
        self.models = {}

    async def warm_up(self):
        for attempt in range(3):
            try:
                loaded = [load(name) for name in NAMES]
            except Exception as e:
                log.warning("warm-up attempt %d failed: %s", attempt + 1, e)
                error = e
            else:
                self.models = dict(zip(NAMES, loaded))
                if attempt == 2:
                    return
        if not self.models:
            log.error("no model could be loaded", exc_info=error)
            raise SystemExit(1)

    async def handle(self, name, ids):
        return await asyncio.to_thread(predict, self.models[name], ids)


async def main():
    train_all()
    gateway = Gateway()
    await gateway.warm_up()
    log.info("warm-up again after a configuration change")
    gateway.models = {}
    await gateway.warm_up()
    answers = await asyncio.gather(*(gateway.handle(name, [5, 6, 7]) for name in NAMES))
    assert all(len(a) == 3 for a in answers)
    log.info("answers %s", answers)


asyncio.run(main())
