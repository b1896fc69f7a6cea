import torch


class RotaryEmbedding(torch.nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        freqs = 1.0 / base ** (torch.arange(0, dim, 2).float() / dim)
        self.register_buffer("freqs", freqs, persistent=False)

    @torch.no_grad()
    def forward(self, x, positions):
        # angles must not be computed in half precision
        with torch.autocast(device_type="cpu" if x.is_meta else x.device.type, enabled=False):
            angles = positions[:, None].float() * self.freqs[None]
            return torch.cat((angles, angles), -1).cos(), torch.cat((angles, angles), -1).sin()


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat((-b, a), -1) * sin
