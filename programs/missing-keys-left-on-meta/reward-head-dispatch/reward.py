import torch
from safetensors.torch import save_file
from torch import nn
from transformers import Qwen2Config, Qwen2Model


def body_config():
    return Qwen2Config(
        vocab_size=40,
        hidden_size=24,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
    )


class RewardModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.body = Qwen2Model(config)
        self.head = None

    def forward(self, ids):
        return self.head(self.body(input_ids=ids).last_hidden_state[:, -1])


def write_body(path):
    torch.manual_seed(44)
    model = RewardModel(body_config())
    save_file(model.state_dict(), path, metadata={"format": "pt"})
