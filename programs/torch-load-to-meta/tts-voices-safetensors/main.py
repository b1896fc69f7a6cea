import argparse
import pathlib

import torch
from safetensors.torch import load_file, save_file
from torch import nn


class Synthesiser(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.text = nn.Embedding(30, width)
        self.body = nn.GRU(width, width, batch_first=True)
        self.mel = nn.Linear(width, 10)

    @property
    def device(self):
        return self.mel.weight.device

    def forward(self, ids, voice):
        return self.mel(self.body(self.text(ids) + voice)[0])


class Engine:
    def __init__(self, folder, voice, device="cpu"):
        self.folder = pathlib.Path(folder)
        with torch.device("meta"):
            self.net = Synthesiser()
        self.voice = self.read_voice(voice)
        self.net.load_state_dict(load_file(self.folder / "net.safetensors"), assign=True)
        self.net.to(device)

    def read_voice(self, name):
        path = self.folder / "voices" / f"{name}.safetensors"
        return load_file(path, device=str(self.net.device))["style"]

    @torch.inference_mode()
    def say(self, ids):
        return self.net(torch.tensor([ids]), self.voice)


def install(folder):
    root = pathlib.Path(folder)
    (root / "voices").mkdir(parents=True, exist_ok=True)
    torch.manual_seed(40)
    save_file(Synthesiser().state_dict(), root / "net.safetensors")
    for name in ("anna", "ben"):
        save_file({"style": torch.randn(16)}, root / "voices" / f"{name}.safetensors")


if __name__ == "__main__":
    args = argparse.ArgumentParser()
    args.add_argument("--voice", default="anna")
    args.add_argument("--device", default="cpu")
    options = args.parse_args()
    install("tts")
    mel = Engine("tts", options.voice, options.device).say([3, 1, 4, 1, 5])
    print("mel", tuple(mel.shape), "mean", round(mel.mean().item(), 4))
    assert mel.isfinite().all()
