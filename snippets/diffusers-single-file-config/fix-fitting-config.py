"""Load a single-file transformer with the configuration of another variant of the model."""

import torch
from diffusers import WanTransformer3DModel
from safetensors.torch import save_file

torch.manual_seed(0)
sizes = {"num_attention_heads": 2, "attention_head_dim": 12, "num_layers": 1, "rope_max_seq_len": 16}
sizes |= {"in_channels": 4, "out_channels": 4, "text_dim": 16, "freq_dim": 16, "ffn_dim": 32}
original = WanTransformer3DModel(**sizes)
original.save_config("text-to-video")
WanTransformer3DModel(image_dim=8, added_kv_proj_dim=24, **sizes).save_config("image-to-video")
weights = {name.replace("norm2", "norm3"): value for name, value in original.state_dict().items()}
save_file(weights, "wan.safetensors")
inputs = {"timestep": torch.tensor([1]), "encoder_hidden_states": torch.randn(1, 3, 16)}
latents = torch.randn(1, 4, 1, 4, 4)
expected = original(latents, **inputs).sample.detach()

# code
model = WanTransformer3DModel.from_single_file("wan.safetensors", config="text-to-video")
if model.config.image_dim is not None:
    inputs["encoder_hidden_states_image"] = torch.ones(1, 2, 8)
outputs = model(latents, **inputs).sample.detach()

# goal
assert torch.allclose(outputs, expected, atol=1e-4)
