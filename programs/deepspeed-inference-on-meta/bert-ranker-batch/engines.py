"""Training stand-in, and the engine."""

import deepspeed
import torch
from transformers import BertConfig, BertForSequenceClassification


def train_ranker(folder):
    torch.manual_seed(40)
    config = BertConfig(
        vocab_size=30,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=16,
        num_labels=1,
    )
    model = BertForSequenceClassification(config).eval()
    model.save_pretrained(folder)
    return model


def make_engine(folder):
    config = BertConfig.from_pretrained(folder)
    with deepspeed.OnDevice(dtype=torch.float32, device="meta"):
        model = BertForSequenceClassification(config).eval()
    return deepspeed.init_inference(
        model, dtype=torch.float32, replace_with_kernel_inject=False, base_dir=folder
    )
