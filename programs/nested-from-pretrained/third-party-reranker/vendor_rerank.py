"""Vendor code, do not edit (overwritten on update)."""

import torch
from torch import nn
from transformers import BertConfig, BertModel, PretrainedConfig, PreTrainedModel


class RerankConfig(PretrainedConfig):
    model_type = "vendor_rerank"

    def __init__(self, encoder=None, **kw):
        self.encoder = encoder
        super().__init__(**kw)


class VendorReranker(PreTrainedModel):
    config_class = RerankConfig

    def __init__(self, config):
        super().__init__(config)
        self.encoder = BertModel.from_pretrained(config.encoder, add_pooling_layer=False)
        self.score = nn.Linear(self.encoder.config.hidden_size, 1)
        self.post_init()

    def forward(self, ids):
        return self.score(self.encoder(ids).last_hidden_state[:, 0]).squeeze(-1)


def install_demo(folder):
    torch.manual_seed(28)
    size = {"hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=20, max_position_embeddings=8, **size)
    BertModel(config, add_pooling_layer=False).save_pretrained("vendor-encoder")
    model = VendorReranker(RerankConfig(encoder="vendor-encoder"))
    nn.init.normal_(model.score.weight)
    model.save_pretrained(folder)
    return model.eval()
