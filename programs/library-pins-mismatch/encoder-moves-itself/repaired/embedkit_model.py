from torch import nn
from transformers import PretrainedConfig, PreTrainedModel


class EmbedConfig(PretrainedConfig):
    model_type = "embedkit"

    def __init__(self, width=24, vocab=64, pool_device="cpu", **kw):
        self.width, self.vocab, self.pool_device = width, vocab, pool_device
        super().__init__(**kw)


class EmbedModel(PreTrainedModel):
    config_class = EmbedConfig

    def __init__(self, config):
        super().__init__(config)
        self.table = nn.Embedding(config.vocab, config.width)
        self.mix = nn.GRU(config.width, config.width, batch_first=True)
        self.pool = nn.Linear(config.width, config.width, bias=False)
        self.post_init()

    def forward(self, ids):
        h, _ = self.mix(self.table(ids))
        return self.pool(h.mean(1).to(self.pool.weight.device))
