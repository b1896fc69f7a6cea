"""Cold start of an embedding service."""

import logging
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

import torch  # noqa: E402
from transformers import AutoConfig, AutoModel  # noqa: E402

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")


class Service:
    def __init__(self, name, device_map=None):
        self.name, self.device_map = name, device_map
        self.model = None

    def start(self):
        logging.info("starting with %s (device_map=%s)", self.name, self.device_map)
        config = AutoConfig.from_pretrained(self.name)
        self.model = AutoModel.from_pretrained(self.name, config=config, device_map=self.device_map)
        return self

    def embed(self, ids):
        with torch.no_grad():
            return self.model(torch.tensor([ids])).last_hidden_state.mean(1)


def main():
    service = Service("acme-labs/embedder-small-v2", device_map="auto")
    try:
        service.start()
    except OSError:
        logging.exception("cold start failed")
        return 1
    print(service.embed([1, 2, 3]).shape)
    return 0


if __name__ == "__main__":
    sys.exit(main())
