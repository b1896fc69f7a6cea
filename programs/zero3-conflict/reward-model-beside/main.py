"""Score generations with a frozen reward model while a policy trains under ZeRO-3."""

import json
import logging
from pathlib import Path

import torch
from transformers import AutoModelForSequenceClassification, GPT2Config, GPT2ForSequenceClassification
from transformers.integrations import HfDeepSpeedConfig

log = logging.getLogger("rlhf")
DS = {"train_micro_batch_size_per_gpu": 2, "zero_optimization": {"stage": 3}, "bf16": {"enabled": False}}


def write_models(path):
    torch.manual_seed(2)
    config = GPT2Config(vocab_size=60, n_embd=32, n_layer=2, n_head=2, n_positions=32, num_labels=1)
    config.pad_token_id = 0
    GPT2ForSequenceClassification(config).save_pretrained(path)
    Path("ds_config.json").write_text(json.dumps(DS), encoding="utf-8")


class RewardModel:
    def __init__(self, path, device_map="cpu"):
        self.net = AutoModelForSequenceClassification.from_pretrained(path, device_map=device_map)
        self.net.requires_grad_(False).eval()

    @torch.no_grad()
    def __call__(self, ids):
        return self.net(input_ids=ids).logits.squeeze(-1)


class PolicyRun:
    """Keeps the configuration alive, as training arguments do."""

    def __init__(self, path):
        self.zero = HfDeepSpeedConfig(json.loads(Path(path).read_text(encoding="utf-8")))
        log.info("ZeRO stage %d", 3 if self.zero.is_zero3() else 0)


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
    write_models("reward-tiny")
    run = PolicyRun("ds_config.json")
    reward = RewardModel("reward-tiny")
    scores = reward(torch.randint(1, 60, (3, 8), generator=torch.Generator().manual_seed(1)))
    log.info("rewards %s under %s", [f"{score:.3f}" for score in scores.tolist()], type(run).__name__)
    assert scores.std() > 0


if __name__ == "__main__":
    main()
