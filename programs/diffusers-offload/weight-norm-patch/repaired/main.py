"""An extension of a web UI: install(pipe) is called after the UI has set the memory mode."""

import logging
import sys
import traceback

import torch
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel
from patch import StylePatch

logging.basicConfig(level=logging.INFO, format="%(levelname)s [extensions] %(message)s", stream=sys.stdout)
log = logging.getLogger("extensions")


class WebUI:
    def __init__(self, memory_mode):
        torch.manual_seed(57)
        unet = UNet2DModel(
            sample_size=8,
            in_channels=3,
            out_channels=3,
            layers_per_block=1,
            block_out_channels=(16, 16),
            norm_num_groups=8,
            down_block_types=("DownBlock2D", "DownBlock2D"),
            up_block_types=("UpBlock2D", "UpBlock2D"),
        )
        torch.nn.init.normal_(unet.conv_norm_out.weight)
        self.pipe = DDPMPipeline(unet, DDPMScheduler(num_train_timesteps=5))
        self.mode = memory_mode
        self.extensions = []

    def start(self):
        if self.mode == "sequential":
            self.pipe.enable_sequential_cpu_offload(device="cpu")

    def install(self, extension, *args):
        self.extensions.append(extension(self.pipe.unet, *args))
        log.info("installed %s", extension.__name__)

    def apply(self, features):
        for extension in self.extensions:
            try:
                features = extension(features)
            except Exception:
                log.error("*** Error running %s\n%s", type(extension).__name__, traceback.format_exc())
                sys.exit(1)
        return features


def main():
    ui = WebUI("sequential")
    plain = WebUI("none")
    style, features = torch.randn(16), torch.randn(2, 16, 8, 8)
    ui.install(StylePatch, style)
    ui.start()
    plain.install(StylePatch, style)
    torch.testing.assert_close(ui.apply(features), plain.apply(features))
    log.info("images are equal")


main()
