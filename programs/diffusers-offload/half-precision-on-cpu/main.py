"""A server that keeps its pipeline small between requests."""

import argparse
import json
import logging
import sys
import time

import torch
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel

log = logging.getLogger("server")


class Server:
    def __init__(self, low_memory):
        torch.manual_seed(105)
        unet = UNet2DModel(
            sample_size=8,
            in_channels=1,
            out_channels=1,
            layers_per_block=1,
            block_out_channels=(8, 8),
            norm_num_groups=4,
            down_block_types=("DownBlock2D", "DownBlock2D"),
            up_block_types=("UpBlock2D", "UpBlock2D"),
        )
        self.pipe = DDPMPipeline(unet, DDPMScheduler(num_train_timesteps=5))
        self.pipe.set_progress_bar_config(disable=True)
        self.low_memory = low_memory
        self.idle()

    def idle(self):
        if self.low_memory:
            self.pipe.enable_sequential_cpu_offload(device="cpu")
        self.since = time.monotonic()

    def wake(self, dtype):
        self.pipe.to("cpu", dtype)
        log.info("awake after %.1f s as %s", time.monotonic() - self.since, dtype)

    def handle(self, request):
        self.wake(getattr(torch, request["dtype"]))
        image = self.pipe(num_inference_steps=request["steps"], output_type="np").images[0]
        return {"shape": list(image.shape), "dtype": str(self.pipe.dtype)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--low-memory", action=argparse.BooleanOptionalAction, default=True)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    server = Server(args.low_memory)
    try:
        reply = server.handle({"steps": 2, "dtype": "float16"})
    except Exception as e:
        log.exception("request failed")
        print(json.dumps({"error": type(e).__name__, "detail": str(e)}))
        return 1
    print(json.dumps(reply))
    return 0 if reply["dtype"] == "torch.float16" else 1


if __name__ == "__main__":
    sys.exit(main())
