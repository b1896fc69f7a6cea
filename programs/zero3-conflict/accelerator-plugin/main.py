"""Train a small denoiser on text conditions; the text encoder is frozen and stays on one device."""

import logging
from dataclasses import dataclass, field

import torch
from accelerate.utils import DeepSpeedPlugin
from torch import nn
from transformers import CLIPTextConfig, CLIPTextModel
from transformers.integrations import HfDeepSpeedConfig

logging.basicConfig(format="%(asctime)s | %(levelname)-8s | %(message)s", level=logging.INFO)


@dataclass
class Options:
    encoder: str = "clip-text-tiny"
    device: str = "cuda" if torch.cuda.is_available() else "cpu"
    keep: list = field(default_factory=list)


def save_encoder(path):
    torch.manual_seed(6)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    CLIPTextModel(CLIPTextConfig(vocab_size=99, max_position_embeddings=12, **sizes)).save_pretrained(path)


class Trainer:
    def __init__(self, options):
        self.options = options
        plugin = DeepSpeedPlugin(zero_stage=3, gradient_accumulation_steps=1)
        plugin.deepspeed_config["train_micro_batch_size_per_gpu"] = 1
        options.keep.append(HfDeepSpeedConfig(plugin.deepspeed_config))
        self.denoiser = nn.Sequential(nn.Linear(32, 64), nn.SiLU(), nn.Linear(64, 32))
        try:
            self.conditions = CLIPTextModel.from_pretrained(options.encoder, device_map=options.device)
        except Exception:
            logging.exception("could not load the text encoder")
            raise SystemExit(1) from None

    def step(self, ids):
        with torch.no_grad():
            condition = self.conditions(input_ids=ids).last_hidden_state.mean(1)
        return nn.functional.mse_loss(self.denoiser(condition), torch.zeros_like(condition))


if __name__ == "__main__":
    options = Options()
    save_encoder(options.encoder)
    loss = Trainer(options).step(torch.arange(1, 13)[None])
    logging.info("loss %.4f", loss.item())
    assert loss > 0
