import torch
from safetensors.torch import save_file
from transformers import CLIPTextConfig, CLIPTextModel

CONFIG = CLIPTextConfig(
    vocab_size=40,
    hidden_size=24,
    intermediate_size=48,
    num_hidden_layers=2,
    num_attention_heads=2,
    max_position_embeddings=16,
    bos_token_id=1,
    eos_token_id=2,
)
PREFIX = "cond_stage_model.transformer."


def write_single_file(path):
    torch.manual_seed(55)
    model = CLIPTextModel(CONFIG).eval()
    save_file({PREFIX + k: v.clone() for k, v in model.state_dict().items()}, path)
    return model
