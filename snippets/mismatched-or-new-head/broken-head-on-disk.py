"""Put a new classifier on a pretrained encoder, with a device_map that ends on disk."""

import torch
from transformers import BertConfig, BertForSequenceClassification, BertModel

config = BertConfig(vocab_size=64, hidden_size=24, intermediate_size=48, num_hidden_layers=2)
BertModel(config).save_pretrained("encoder")
device_map = {"bert.embeddings": "cpu", "bert.encoder": "disk", "bert.pooler": "cpu", "dropout": "cpu"}

# code
device_map["classifier"] = "disk"
model = BertForSequenceClassification.from_pretrained("encoder", device_map=device_map)
logits = model(torch.tensor([[1, 2, 3]])).logits

# goal
assert logits.shape == (1, 2)
assert logits.abs().max() < 10
