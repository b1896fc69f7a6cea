from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import LlamaConfig, LlamaForCausalLM

CONFIG = LlamaConfig(
    vocab_size=128,
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    eos_token_id=None,
    bos_token_id=1,
)


def ensure_weights(name):
    path = Path(name)
    if not path.exists():
        torch.manual_seed(0)
        model = LlamaForCausalLM(CONFIG)
        save_file({k: v.clone() for k, v in model.state_dict().items()}, path, metadata={"format": "pt"})
    return path
