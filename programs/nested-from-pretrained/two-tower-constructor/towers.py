import torch
from torch import nn
from transformers import AutoModel, BertConfig, BertModel, PretrainedConfig, PreTrainedModel


class TwoTowerConfig(PretrainedConfig):
    model_type = "two_tower"

    def __init__(self, text_tower="text-tower", dim=16, **kw):
        self.text_tower, self.dim = text_tower, dim
        super().__init__(**kw)


class TwoTower(PreTrainedModel):
    config_class = TwoTowerConfig

    def __init__(self, config):
        super().__init__(config)
        self.text = AutoModel.from_pretrained(config.text_tower)
        width = self.text.config.hidden_size
        self.to_query = nn.Linear(width, config.dim)
        self.to_passage = nn.Linear(width, config.dim)
        self.post_init()

    def query(self, ids):
        return self.to_query(self.text(input_ids=ids).last_hidden_state.mean(1))

    def passage(self, ids):
        return self.to_passage(self.text(input_ids=ids).last_hidden_state.mean(1))


def prepare(text_dir, out_dir):
    torch.manual_seed(1)
    size = {"hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=30, max_position_embeddings=16, **size)
    BertModel(config).save_pretrained(text_dir)
    model = TwoTower(TwoTowerConfig(text_tower=text_dir)).eval()
    model.save_pretrained(out_dir)
    rows = [[4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
    torch.save(torch.cat([model.passage(torch.tensor([r])) for r in rows]).detach(), "expected.pt")
