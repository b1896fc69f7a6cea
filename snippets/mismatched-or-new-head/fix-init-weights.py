"""Put a scoring head with a learned scale on a pretrained encoder."""

import torch
from torch import nn
from transformers import BertConfig, BertModel, BertPreTrainedModel

config = BertConfig(vocab_size=64, hidden_size=24, intermediate_size=48, num_hidden_layers=2)


# code
class Scorer(BertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config)
        self.head = nn.Linear(24, 3)
        self.scale = nn.Parameter(torch.full((3,), 10.0))
        self.post_init()

    def _init_weights(self, module):
        super()._init_weights(module)
        if isinstance(module, Scorer):
            nn.init.constant_(module.scale, 10.0)

    def forward(self, input_ids):
        return self.scale * self.head(self.bert(input_ids).pooler_output)


BertModel(config).save_pretrained("encoder")

model = Scorer.from_pretrained("encoder")

# goal
assert torch.equal(model.scale.data, torch.full((3,), 10.0))
