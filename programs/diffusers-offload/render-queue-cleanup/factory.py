"""Builds the small unconditional pipeline that stands for the real one."""

import torch
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel


def build(seed=0):
    torch.manual_seed(seed)
    unet = UNet2DModel(
        sample_size=8,
        in_channels=3,
        out_channels=3,
        layers_per_block=1,
        block_out_channels=(16, 32),
        norm_num_groups=8,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )
    pipe = DDPMPipeline(unet=unet, scheduler=DDPMScheduler(num_train_timesteps=20))
    pipe.set_progress_bar_config(disable=True)
    return pipe
