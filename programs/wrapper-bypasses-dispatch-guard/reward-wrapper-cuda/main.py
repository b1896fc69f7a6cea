"""Score answers with a reward head over a language model that is partly on disk."""

import logging

import torch
from base import Scorer
from torch import nn
from transformers import AutoModel, LlamaConfig, LlamaModel

logging.basicConfig(level=logging.INFO, format="%(levelname)s - %(message)s")
PLACES = {"embed_tokens": "cpu", "layers.0": "cpu", "layers.1": "disk", "norm": "cpu", "rotary_emb": "cpu"}


def body(path):
    torch.manual_seed(28)
    sizes = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
    LlamaModel(LlamaConfig(vocab_size=60, **sizes)).save_pretrained(path)
    return AutoModel.from_pretrained(path, device_map=PLACES, offload_folder="spill")


class Reward(Scorer):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.score = nn.Linear(encoder.config.hidden_size, 1)

    def forward(self, ids):
        return self.score(self.encoder(input_ids=ids).last_hidden_state[:, -1]).squeeze(-1)


def main():
    reward = Reward(body("reward-body")).ready("cuda" if torch.cuda.is_available() else "cpu")
    answers = torch.randint(0, 60, (3, 7), generator=torch.Generator().manual_seed(2))
    with torch.no_grad():
        ranked = reward(answers.to(reward.score.weight.device)).argsort(descending=True)
    logging.info("order of answers: %s", ranked.tolist())


if __name__ == "__main__":
    main()
