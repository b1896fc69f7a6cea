"""Fine-tune an unconditional pipeline for a few steps and export it."""

import argparse
import logging
import os

import torch
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel

logger = logging.getLogger("finetune")


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--output_dir", default="ddpm-out")
    p.add_argument("--train_steps", type=int, default=2)
    p.add_argument("--low_vram", action=argparse.BooleanOptionalAction, default=True)
    return p.parse_args()


def build():
    torch.manual_seed(36)
    unet = UNet2DModel(
        sample_size=8,
        in_channels=1,
        out_channels=1,
        layers_per_block=1,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        down_block_types=("DownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "UpBlock2D"),
    )
    return DDPMPipeline(unet, DDPMScheduler(num_train_timesteps=10))


def train(pipe, steps):
    optimizer = torch.optim.AdamW(pipe.unet.parameters(), lr=1e-3)
    for step in range(steps):
        clean, noise, t = torch.rand(4, 1, 8, 8), torch.randn(4, 1, 8, 8), torch.randint(0, 10, (4,))
        loss = (pipe.unet(pipe.scheduler.add_noise(clean, noise, t), t).sample - noise).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        logger.info("step %d loss %.4f", step, loss.item())
    return pipe.unet.conv_out.weight.detach().clone()


def main():
    args = parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s")
    pipe = build()
    trained = train(pipe, args.train_steps)
    if args.low_vram:
        # previews of the web UI run from here on with little memory
        pipe.enable_sequential_cpu_offload(device="cpu")
    pipe.save_pretrained(args.output_dir)
    logger.info("saved %s", sorted(os.listdir(args.output_dir)))
    again = DDPMPipeline.from_pretrained(args.output_dir)
    torch.testing.assert_close(again.unet.conv_out.weight.detach(), trained)


if __name__ == "__main__":
    main()
