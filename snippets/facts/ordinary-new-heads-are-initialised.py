"""Load a base model's checkpoint with a new head, and a Llama with one layer more."""

import torch
from transformers import BertConfig, BertForSequenceClassification, BertModel, LlamaConfig, LlamaForCausalLM

config = BertConfig(vocab_size=64, hidden_size=96, intermediate_size=48, num_hidden_layers=1)
BertModel(config).save_pretrained("encoder")
head = BertForSequenceClassification.from_pretrained("encoder", num_labels=8).classifier
assert 0.015 < head.weight.std() < 0.025
assert torch.equal(head.bias, torch.zeros(8))

sizes = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "vocab_size": 128}
LlamaForCausalLM(LlamaConfig(num_hidden_layers=1, **sizes)).save_pretrained("llama")
added = LlamaForCausalLM.from_pretrained("llama", num_hidden_layers=2).model.layers[1]
assert torch.equal(added.input_layernorm.weight, torch.ones(32))
assert all(0.015 < p.std() < 0.025 for p in added.parameters() if p.ndim == 2)
