"""Load a model of one's own whose constructor fills and moves its encoder."""

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
        self.encoder = BertModel(inner)
        self.head = nn.Linear(24, 3)
        self.post_init()

    def forward(self, input_ids):
        return self.head(self.encoder(input_ids=input_ids).last_hidden_state)


torch.manual_seed(0)
torch.save(BertModel(inner).state_dict(), "encoder.pt")
trained, ids = Tagger(TaggerConfig()).eval(), torch.tensor([[1, 2, 3]])
trained.save_pretrained("tagger")

model = Tagger.from_pretrained("tagger", low_cpu_mem_usage=True)

# goal
assert all(torch.equal(a, b) for a, b in zip(model.buffers(), trained.buffers(), strict=True))
assert torch.equal(model(ids), trained(ids))
