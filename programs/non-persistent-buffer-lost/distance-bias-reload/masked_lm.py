import torch
import torch.nn.functional as F
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class MaskedConfig(PretrainedConfig):
    model_type = "mini_masked_lm"

    def __init__(self, vocab=32, dim=16, positions=16, **kw):
        self.vocab, self.dim, self.positions = vocab, dim, positions
        super().__init__(**kw)


class MaskedDecoder(PreTrainedModel):
    config_class = MaskedConfig

    def __init__(self, config):
        super().__init__(config)
        self.tok = nn.Embedding(config.vocab, config.dim)
        self.qkv = nn.Linear(config.dim, 3 * config.dim)
        self.out = nn.Linear(config.dim, config.vocab)
        slopes = torch.arange(config.positions, dtype=torch.float32)
        bias = -(slopes[:, None] - slopes[None]).abs()
        self.register_buffer("distance_bias", bias, persistent=False)
        self.post_init()

    def forward(self, ids, labels=None):
        n = ids.shape[1]
        q, k, v = self.qkv(self.tok(ids)).chunk(3, -1)
        w = q @ k.transpose(1, 2) + self.distance_bias[:n, :n]
        logits = self.out(w.softmax(-1) @ v)
        loss = None if labels is None else F.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return loss, logits
