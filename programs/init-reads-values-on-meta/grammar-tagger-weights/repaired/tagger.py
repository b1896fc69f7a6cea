import torch
from torch import nn
from transformers import BertConfig, BertModel, BertPreTrainedModel


class ErrorTaggerConfig(BertConfig):
    model_type = "error_tagger"

    def __init__(self, counts=(900, 80, 20), smoothing=1.0, **kwargs):
        self.counts, self.smoothing = list(counts), smoothing
        super().__init__(**kwargs)


class ErrorTagger(BertPreTrainedModel):
    config_class = ErrorTaggerConfig

    def __init__(self, config):
        super().__init__(config)
        counts = [count + config.smoothing for count in config.counts]
        self.loss_weights = [sum(counts) / (len(counts) * count) for count in counts]
        self.bert = BertModel(config, add_pooling_layer=False)
        self.tag = nn.Linear(config.hidden_size, len(config.counts))
        self.post_init()

    def forward(self, input_ids, labels=None):
        logits = self.tag(self.bert(input_ids).last_hidden_state)
        if labels is None:
            return logits
        weights = torch.tensor(self.loss_weights)
        return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), weight=weights)
