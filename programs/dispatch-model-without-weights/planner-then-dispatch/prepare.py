"""Write the checkpoint that the server expects, as the training job leaves it."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def write(folder):
    torch.manual_seed(5)
    config = LlamaConfig(
        vocab_size=90,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    model = LlamaForCausalLM(config).eval()
    model.save_pretrained(folder)
    with torch.no_grad():
        return model(torch.tensor([[1, 5, 9, 2]])).logits[0, -1].argmax().item()
