"""Keyword spotting: features, then a small classifier. Weights are loaded without initialisation."""

import json
import sys

import torch
from accelerate import init_empty_weights
from torch import nn


class Frontend(nn.Module):
    def __init__(self, n_fft=64, bands=12):
        super().__init__()
        self.n_fft = n_fft
        window = torch.hann_window(n_fft)
        bank = torch.rand(bands, n_fft // 2 + 1, generator=None)
        self.register_buffer("window", window, persistent=False)
        self.bank = nn.Parameter(bank)

    def forward(self, wave):
        frames = wave.unfold(-1, self.n_fft, self.n_fft // 2) * self.window
        power = torch.fft.rfft(frames).abs().pow(2)
        return (power @ self.bank.T + 1e-6).log()


class Spotter(nn.Module):
    def __init__(self, bands=12, words=4):
        super().__init__()
        self.frontend = Frontend(bands=bands)
        self.gru = nn.GRU(bands, 24, batch_first=True)
        self.out = nn.Linear(24, words)

    def forward(self, wave):
        feats = self.frontend(wave)
        return self.out(self.gru(feats)[0][:, -1]), feats


def save(path):
    torch.manual_seed(33)
    model = Spotter().eval()
    torch.save(model.state_dict(), path)
    return model


def load(path, device="cpu"):
    with init_empty_weights():
        model = Spotter()
    model.load_state_dict(torch.load(path, map_location=device, weights_only=True), assign=True)
    return model.eval()


def main():
    trained = save("spotter.pt")
    model = load("spotter.pt")
    t = torch.arange(800) / 100
    wave = torch.stack([torch.sin(6.28318 * f * t) for f in (3.0, 11.0)])
    with torch.no_grad():
        logits, feats = model(wave)
        want_logits, want_feats = trained(wave)
    gap = (feats - want_feats).abs().max().item()
    if not gap < 1e-4:
        print(json.dumps({"level": "ERROR", "event": "features differ from training", "gap": gap}))
        return 1
    assert torch.allclose(logits, want_logits, atol=1e-5)
    print(json.dumps({"level": "INFO", "event": "ok", "words": logits.argmax(-1).tolist()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
