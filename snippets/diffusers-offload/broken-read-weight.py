"""Use the weights of a component by hand while sequential offload is on."""

import torch
import torch.nn.functional as F
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel

torch.manual_seed(0)
sizes = {"sample_size": 8, "block_out_channels": (16, 16), "layers_per_block": 1, "norm_num_groups": 4}
sizes |= {"down_block_types": ("DownBlock2D",) * 2, "up_block_types": ("UpBlock2D",) * 2}
unet = UNet2DModel(**sizes)
weight = unet.conv_in.weight.detach().clone()
device = "cpu"
pipe = DDPMPipeline(unet, DDPMScheduler())
layer = pipe.unet.time_embedding.linear_1
inputs = torch.randn(2, layer.in_features)
expected = layer(inputs).detach()

# code
pipe.enable_sequential_cpu_offload(device=device)
outputs = F.linear(inputs, layer.weight, layer.bias).detach()

# goal
assert torch.allclose(outputs, expected, atol=1e-5)
