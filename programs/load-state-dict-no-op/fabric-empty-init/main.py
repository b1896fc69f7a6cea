"""Evaluate a segmentation net. Set-up goes through a small launcher that knows the hardware."""

import logging
import sys

import torch
from launcher import Launcher
from torch import nn

logging.basicConfig(filename="eval.log", level=logging.DEBUG)
logging.captureWarnings(True)


class UNet(nn.Module):
    def __init__(self, ch=8, classes=3):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, ch, 3, 2, 1), nn.BatchNorm2d(ch), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(ch, ch, 3, 1, 1), nn.BatchNorm2d(ch), nn.ReLU())
        self.up = nn.ConvTranspose2d(ch, ch, 2, 2)
        self.head = nn.Conv2d(ch + 1, classes, 1)

    def forward(self, x):
        y = self.up(self.mid(self.down(x)))
        return self.head(torch.cat([x, y], 1))


def miou(pred, target, classes=3):
    scores = []
    for c in range(classes):
        inter = ((pred == c) & (target == c)).sum().item()
        union = ((pred == c) | (target == c)).sum().item()
        scores.append(inter / union if union else 1.0)
    return sum(scores) / classes


def main():
    torch.manual_seed(4)
    trained = UNet().eval()
    torch.save({"net": trained.state_dict()}, "unet.ckpt")
    launcher = Launcher(accelerator="cpu", empty_init=True)
    with launcher.init_module():
        net = UNet()
    net = launcher.load_and_setup(net, "unet.ckpt")
    image = torch.rand(2, 1, 16, 16, generator=torch.Generator().manual_seed(8))
    with torch.no_grad():
        score = miou(net(image).argmax(1), trained(image).argmax(1))
    print(f"agreement with the trained net: {score:.3f}", file=sys.stderr)
    assert score > 0.999


if __name__ == "__main__":
    main()
