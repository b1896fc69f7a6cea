import torch
from torch import nn
from transformers import BertConfig, BertModel, BertPreTrainedModel


class SimConfig(BertConfig):
    def __init__(self, temperature=0.05, **kw):
        super().__init__(**kw)
        self.temperature = temperature


class SimEncoder(BertPreTrainedModel):
    config_class = SimConfig

    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config, add_pooling_layer=False)
        self.temperature = nn.Parameter(torch.tensor([config.temperature]))
        self.post_init()

    def _init_weights(self, module):
        super()._init_weights(module)
        if isinstance(module, SimEncoder):
            nn.init.constant_(module.temperature, self.config.temperature)

    def forward(self, ids):
        return self.bert(ids).last_hidden_state[:, 0]


def write_base(folder):
    torch.manual_seed(6)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    config = BertConfig(vocab_size=90, max_position_embeddings=32, **size)
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder
