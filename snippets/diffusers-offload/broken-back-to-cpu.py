"""Switch on sequential offload for a pipeline, then move it back to the CPU."""

import torch
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
weight = unet.conv_in.weight.detach().clone()
device = "cuda" if torch.cuda.is_available() else "cpu"

pipe = DDPMPipeline(unet, DDPMScheduler())
pipe.enable_sequential_cpu_offload(device=device)

# code
pipe.to("cpu")

# goal
assert torch.equal(pipe.unet.conv_in.weight.cpu(), weight)
