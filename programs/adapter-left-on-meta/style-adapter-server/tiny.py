"""Stands in for the hub: a small base model and one style adapter in local folders."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import MistralConfig, MistralForCausalLM

PROMPT = torch.tensor([[1, 4, 6, 2]])


def publish():
    torch.manual_seed(31)
    config = MistralConfig(
        vocab_size=80,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    base = MistralForCausalLM(config)
    base.save_pretrained("hub/base")
    lora = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    tuned = get_peft_model(base, lora).eval()
    tuned.save_pretrained("hub/haiku")
    with torch.no_grad():
        return tuned(PROMPT).logits[0, -1]
