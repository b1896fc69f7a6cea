"""Speech encoder server, warm start from a checkpoint."""

import logging
import math

import torch
from torch import nn

LOG = logging.getLogger("asr")


def sinusoids(length, channels):
    inc = math.log(10000) / (channels // 2 - 1)
    scale = torch.exp(-inc * torch.arange(channels // 2))
    angle = torch.arange(length)[:, None] * scale[None]
    return torch.cat([angle.sin(), angle.cos()], dim=1)


class AudioEncoder(nn.Module):
    def __init__(self, mels=20, dim=32, length=40, depth=2):
        super().__init__()
        self.conv = nn.Conv1d(mels, dim, 3, padding=1)
        self.register_buffer("positions", sinusoids(length, dim), persistent=False)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, 0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, depth, enable_nested_tensor=False)

    def forward(self, mel):
        x = self.conv(mel).transpose(1, 2)
        return self.layers(x + self.positions[: x.shape[1]])


def warm_start(path, device):
    LOG.info("restoring %s", path)
    state = torch.load(path, map_location=device, weights_only=True)
    with torch.device("meta"):
        model = AudioEncoder()
    info = model.load_state_dict(state, strict=True, assign=True)
    LOG.info("restored: %s", info)
    model.eval()
    model.to(device)
    return model


def main():
    logging.basicConfig(level=logging.INFO, format="[%(asctime)s] %(name)s: %(message)s")
    torch.manual_seed(7)
    trained = AudioEncoder().eval()
    torch.save(trained.state_dict(), "encoder.pt")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = warm_start("encoder.pt", device)
    mel = torch.randn(1, 20, 30, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        assert torch.allclose(model(mel.to(device)).cpu(), trained(mel), atol=1e-5)
    LOG.info("encoder agrees with the trained one")


if __name__ == "__main__":
    main()
