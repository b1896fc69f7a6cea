"""Multiply with a component's weight directly while sequential offload is on."""

import torch
import torch.nn.functional as F
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel

torch.manual_seed(0)
unet = UNet2DModel(
    sample_size=8,
    block_out_channels=(16, 16),
    layers_per_block=1,
    norm_num_groups=4,
    down_block_types=("DownBlock2D", "DownBlock2D"),
    up_block_types=("UpBlock2D", "UpBlock2D"),
)

pipe = DDPMPipeline(unet, DDPMScheduler())
layer = pipe.unet.time_embedding.linear_1
inputs = torch.randn(2, layer.in_features)
expected = layer(inputs).detach()
pipe.enable_sequential_cpu_offload(device="cpu")

# code
outputs = F.linear(inputs, layer.weight, layer.bias).detach()

# goal
assert torch.allclose(outputs, expected, atol=1e-5)
