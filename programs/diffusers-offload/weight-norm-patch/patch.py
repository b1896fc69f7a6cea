"""Style patch: re-normalise features with the UNet's own norm, shifted by a style vector."""

import torch


class StylePatch:
    def __init__(self, unet, style):
        norm = unet.conv_norm_out
        self.groups, self.eps = norm.num_groups, norm.eps
        self.weight, self.bias = norm.weight.detach(), norm.bias.detach()
        self.style = style

    def __call__(self, features):
        out = torch.nn.functional.group_norm(features, self.groups, self.weight, self.bias, self.eps)
        return out + self.style.view(1, -1, 1, 1)
