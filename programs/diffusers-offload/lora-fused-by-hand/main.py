"""txt2img stand-in: load, set memory mode, fuse, render."""

import logging

import lora
import torch
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel

log = logging.getLogger("generate")


def pipeline():
    torch.manual_seed(104)
    unet = UNet2DModel(
        sample_size=8,
        in_channels=3,
        out_channels=3,
        layers_per_block=1,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        attention_head_dim=4,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )
    pipe = DDPMPipeline(unet, DDPMScheduler(num_train_timesteps=6))
    pipe.set_progress_bar_config(disable=True)
    return pipe


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s|%(name)s|%(message)s")
    pipe = pipeline()
    lora.make(pipe.unet, "style.safetensors")
    before = pipe.unet.state_dict()["down_blocks.1.attentions.0.to_q.weight"].clone()
    pipe.enable_sequential_cpu_offload(device="cpu")
    count = lora.fuse(pipe.unet, "style.safetensors")
    log.info("fused %d layers", count)
    pipe.remove_all_hooks()
    after = pipe.unet.state_dict()["down_blocks.1.attentions.0.to_q.weight"]
    assert count == 8
    assert not torch.equal(before, after)
    image = pipe(num_inference_steps=2, output_type="np").images[0]
    log.info("mean %.3f", image.mean())


main()
