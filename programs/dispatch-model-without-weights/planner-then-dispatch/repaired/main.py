import argparse
import logging

import prepare
import torch
from accelerate import infer_auto_device_map, init_empty_weights, load_checkpoint_and_dispatch
from transformers import AutoConfig, AutoModelForCausalLM

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s [%(module)s] %(message)s")
log = logging.getLogger(__name__)


class Engine:
    def __init__(self, path, max_memory):
        self.path = path
        config = AutoConfig.from_pretrained(path)
        with init_empty_weights():
            model = AutoModelForCausalLM.from_config(config)
        self.device_map = infer_auto_device_map(
            model, max_memory=max_memory, no_split_module_classes=["LlamaDecoderLayer"]
        )
        log.info("device map: %s", self.device_map)
        self.model = load_checkpoint_and_dispatch(model, self.path, device_map=self.device_map).eval()

    @torch.inference_mode()
    def next_token(self, ids):
        return self.model(torch.tensor([ids])).logits[0, -1].argmax().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--model", default="llama-tiny")
    ap.add_argument("--cpu-mem", default="2GB")
    args = ap.parse_args()
    expected = prepare.write(args.model)
    engine = Engine(args.model, {"cpu": args.cpu_mem})
    token = engine.next_token([1, 5, 9, 2])
    log.info("next token %d", token)
    assert token == expected, f"expected {expected}"


if __name__ == "__main__":
    main()
