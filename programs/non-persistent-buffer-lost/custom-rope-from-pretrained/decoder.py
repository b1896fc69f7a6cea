import torch
import torch.nn.functional as F
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class DecoderConfig(PretrainedConfig):
    model_type = "mini_rope_decoder"

    def __init__(self, vocab=40, dim=32, heads=2, positions=64, base=100.0, **kw):
        self.vocab, self.dim, self.heads, self.positions, self.base = vocab, dim, heads, positions, base
        super().__init__(**kw)


def rope_table(config):
    half = config.dim // config.heads // 2
    freq = config.base ** (-torch.arange(half) / half)
    angle = torch.arange(config.positions)[:, None] * freq
    return torch.stack([angle.cos(), angle.sin()])


class Rotary(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.register_buffer("table", rope_table(config), persistent=False)

    def forward(self, x):
        cos, sin = self.table[:, : x.shape[-2]]
        a, b = x.chunk(2, -1)
        return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


class Decoder(PreTrainedModel):
    config_class = DecoderConfig

    def __init__(self, config):
        super().__init__(config)
        self.tok = nn.Embedding(config.vocab, config.dim)
        self.rotary = Rotary(config)
        self.qkv = nn.Linear(config.dim, 3 * config.dim)
        self.out = nn.Linear(config.dim, config.vocab)
        self.post_init()

    def forward(self, ids):
        x = self.tok(ids)
        q, k, v = self.qkv(x).unflatten(-1, (3, self.config.heads, -1)).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(self.rotary(q), self.rotary(k), v, is_causal=True)
        return self.out(x + y.transpose(1, 2).flatten(2))

    def loss(self, ids):
        return F.cross_entropy(self(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
