"""Writes what training would have released."""

import torch
from transformers import MixtralConfig, MixtralForCausalLM


def write_release(folder):
    torch.manual_seed(5)
    config = MixtralConfig(
        vocab_size=64,
        hidden_size=24,
        intermediate_size=40,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_local_experts=3,
    )
    net = MixtralForCausalLM(config).eval()
    net.save_pretrained(folder)
    with torch.inference_mode():
        return int(net(torch.tensor([[4, 8, 15, 16]])).logits[0, -1].argmax())
