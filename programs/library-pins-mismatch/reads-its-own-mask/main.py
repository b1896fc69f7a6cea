"""Custom node: depth estimate from an image. Log lines follow those of the host application."""

import sys
import traceback

import torch
import transformers
from depth_net import DepthConfig, DepthNet

NODE_VERSION = "1.3.0"
BUILT_FOR = (4, 41)


class DepthNode:
    CATEGORY = "depth"
    _cache = {}

    @classmethod
    def load(cls, folder):
        if folder not in cls._cache:
            cls._cache[folder] = DepthNet.from_pretrained(folder).eval()
        return cls._cache[folder]

    def estimate(self, folder, image):
        model = self.load(folder)
        with torch.no_grad():
            return model(image)


def startup():
    major, minor = (int(x) for x in transformers.__version__.split(".")[:2])
    print(f"[depth-node {NODE_VERSION}] transformers {transformers.__version__}")
    if (major, minor) > BUILT_FOR:
        print(f"[depth-node {NODE_VERSION}] WARNING built for transformers {BUILT_FOR[0]}.{BUILT_FOR[1]}")


def main():
    startup()
    torch.manual_seed(16)
    original = DepthNet(DepthConfig()).eval()
    original.save_pretrained("depth-model")
    image = torch.rand(1, 3, 8, 8, generator=torch.Generator().manual_seed(0))
    try:
        depth = DepthNode().estimate("depth-model", image)
    except Exception as e:
        print(f"!!! Exception during processing !!! {e}", file=sys.stderr)
        print(traceback.format_exc(), file=sys.stderr)
        return 1
    assert torch.allclose(depth, original(image), atol=1e-5)
    print("depth range", round(depth.min().item(), 3), round(depth.max().item(), 3))
    return 0


if __name__ == "__main__":
    sys.exit(main())
