"""Sample from a trained denoiser: restore, move, run ten steps."""

import hashlib
import sys

import torch
from torch import nn

torch.use_deterministic_algorithms(True)


class Denoiser(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.enter = nn.Conv1d(1, channels, 3, padding=1)
        self.block = nn.Sequential(
            nn.GroupNorm(2, channels), nn.SiLU(), nn.Conv1d(channels, channels, 3, padding=1)
        )
        self.leave = nn.Conv1d(channels, 1, 3, padding=1)

    def forward(self, x):
        h = self.enter(x)
        return self.leave(h + self.block(h))


def publish(path):
    torch.manual_seed(17)
    model = Denoiser()
    torch.save(model.state_dict(), path)
    return model


def restore(path, device):
    state = torch.load(path, map_location=device)
    with torch.device("meta"):
        model = Denoiser()
    model.to_empty(device=device)
    model.load_state_dict(state)
    return model.eval()


@torch.no_grad()
def sample(model, steps=10):
    x = torch.randn(1, 1, 32, generator=torch.Generator().manual_seed(0))
    for _ in range(steps):
        x = x - 0.1 * model(x)
    return x


def checksum(x):
    return hashlib.sha1(x.numpy().round(4).tobytes()).hexdigest()[:10]


if __name__ == "__main__":
    want = sample(publish("denoiser.pt"))
    got = sample(restore("denoiser.pt", "cpu"))
    print("checksum", checksum(got), "nan" if got.isnan().any() else "finite")
    sys.exit("the sample is not the published one" if not torch.allclose(got, want) else 0)
