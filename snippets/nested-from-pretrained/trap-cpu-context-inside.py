"""Load a model of one's own whose constructor loads a pretrained encoder."""

import torch
from torch import nn
from transformers import BertConfig, BertModel, PretrainedConfig, PreTrainedModel

inner = BertConfig(vocab_size=64, hidden_size=24, intermediate_size=48, num_hidden_layers=2)


class TaggerConfig(PretrainedConfig):
    model_type = "tagger"


# code
class Tagger(PreTrainedModel):
    config_class = TaggerConfig

    def __init__(self, config):
        super().__init__(config)
        with torch.device("cpu"):
            self.encoder = BertModel.from_pretrained("encoder")
        self.head = nn.Linear(24, 3)
        self.post_init()

    def forward(self, input_ids):
        return self.head(self.encoder(input_ids=input_ids).last_hidden_state)


torch.manual_seed(0)
BertModel(inner).save_pretrained("encoder")
trained, ids = Tagger(TaggerConfig()).eval(), torch.tensor([[1, 2, 3]])
trained.save_pretrained("tagger")

model = Tagger.from_pretrained("tagger")

# goal
assert all(torch.equal(a, b) for a, b in zip(model.buffers(), trained.buffers(), strict=True))
assert torch.equal(model(ids), trained(ids))
