"""Load a model directory whose configuration asks for more layers than its weights hold."""

import torch
from diffusers import UNet2DModel

torch.manual_seed(0)
sizes = {"sample_size": 8, "block_out_channels": (16, 16), "norm_num_groups": 4}
sizes |= {"down_block_types": ("DownBlock2D",) * 2, "up_block_types": ("UpBlock2D",) * 2}
original = UNet2DModel(layers_per_block=1, **sizes)
original.save_pretrained("unet")
sample = torch.randn(1, 3, 8, 8)
expected = original(sample, 1).sample.detach()

# code
model = UNet2DModel.from_pretrained("unet", layers_per_block=2)
outputs = model(sample, 1).sample.detach()

# goal
assert torch.allclose(outputs, expected, atol=1e-4)
