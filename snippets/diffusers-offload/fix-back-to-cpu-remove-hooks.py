"""Switch on sequential offload for a pipeline, then move it back to the CPU."""

import torch
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel

torch.manual_seed(0)
sizes = {"sample_size": 8, "block_out_channels": (16, 16), "layers_per_block": 1, "norm_num_groups": 4}
sizes |= {"down_block_types": ("DownBlock2D",) * 2, "up_block_types": ("UpBlock2D",) * 2}
unet = UNet2DModel(**sizes)
weight = unet.conv_in.weight.detach().clone()
device = "cuda" if torch.cuda.is_available() else "cpu"
pipe = DDPMPipeline(unet, DDPMScheduler())
pipe.enable_sequential_cpu_offload(device=device)

# code
pipe.remove_all_hooks()
pipe.to("cpu")

# goal
assert torch.equal(pipe.unet.conv_in.weight.cpu(), weight)
