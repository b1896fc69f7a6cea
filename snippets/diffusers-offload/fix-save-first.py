"""Save a pipeline while sequential offload is on."""

import torch
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel

torch.manual_seed(0)
sizes = {"sample_size": 8, "block_out_channels": (16, 16), "layers_per_block": 1, "norm_num_groups": 4}
sizes |= {"down_block_types": ("DownBlock2D",) * 2, "up_block_types": ("UpBlock2D",) * 2}
unet = UNet2DModel(**sizes)
weight = unet.conv_in.weight.detach().clone()
device = "cuda" if torch.cuda.is_available() else "cpu"
pipe = DDPMPipeline(unet, DDPMScheduler())

# code
pipe.save_pretrained("pipeline")
pipe.enable_sequential_cpu_offload(device=device)

# goal
reloaded = DDPMPipeline.from_pretrained("pipeline")
assert torch.equal(reloaded.unet.conv_in.weight, weight)
