"""Roll out a policy with a value head. The backbone is large, so part of it stays on disk."""

import logging

import torch
from torch import nn
from transformers import AutoModel, PhiConfig, PhiModel

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(name)s] %(message)s")
log = logging.getLogger("rollout")
SIZES = {"vocab_size": 40, "hidden_size": 32, "intermediate_size": 64, "pad_token_id": 0}


def backbone(path):
    torch.manual_seed(18)
    config = PhiConfig(num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=32, **SIZES)
    PhiModel(config).save_pretrained(path)
    places = dict.fromkeys(
        ("embed_tokens", "embed_dropout", "final_layernorm", "rotary_emb", "layers.0"), "cpu"
    )
    return AutoModel.from_pretrained(path, device_map=places | {"layers.1": "disk"}, offload_folder="offload")


class Policy(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body
        width = body.config.hidden_size
        self.action = nn.Linear(width, 4)
        self.value = nn.Sequential(nn.Linear(width, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, ids):
        state = self.body(ids).last_hidden_state[:, -1]
        return torch.distributions.Categorical(logits=self.action(state)), self.value(state).squeeze(-1)


class Rollout:
    def __init__(self, policy, device):
        self.device = torch.device(device)
        for own in (policy.action, policy.value):
            own.to(self.device)
        self.policy = policy.eval()

    @torch.no_grad()
    def play(self, steps):
        history, values = torch.zeros(2, 1, dtype=torch.long, device=self.device), []
        for _ in range(steps):
            actions, value = self.policy(history)
            values.append(value)
            history = torch.cat([history, actions.sample()[:, None] + 1], 1)
        return history, torch.stack(values, 1)


if __name__ == "__main__":
    history, values = Rollout(Policy(backbone("phi-body")), "cpu").play(5)
    log.info("actions %s", history[:, 1:].tolist())
    assert history.shape == (2, 6) and values.isfinite().all()
