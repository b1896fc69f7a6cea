"""Voice engine start-up."""

import logging
import pathlib
import sys

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import save_file
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s [%(levelname)s] tts: %(message)s")
log = logging.getLogger("tts")


class TTSLoadError(RuntimeError):
    pass


class Acoustic(nn.Module):
    def __init__(self, phones=30, dim=16, mels=8):
        super().__init__()
        self.phones = nn.Embedding(phones, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.mel = nn.Linear(dim, mels)

    def forward(self, ids):
        return self.mel(self.gru(self.phones(ids))[0])


class Engine:
    def __init__(self, weights, device="cpu"):
        self.weights = pathlib.Path(weights)
        self.device = device

    def start(self):
        log.info("starting with %s (%d kB)", self.weights, self.weights.stat().st_size // 1024)
        with init_empty_weights():
            model = Acoustic()
        try:
            model = load_checkpoint_and_dispatch(model, str(self.weights), device_map={"": self.device})
            self.model = model.eval()
        except (ValueError, KeyError) as e:
            raise TTSLoadError(f"engine not started: {self.weights}") from e
        return self

    @torch.no_grad()
    def say(self, phones):
        return self.model(torch.tensor([phones]))


if __name__ == "__main__":
    torch.manual_seed(81)
    reference = Acoustic().eval()
    save_file(reference.state_dict(), "acoustic.safetensors")
    try:
        engine = Engine("acoustic.safetensors").start()
    except TTSLoadError:
        log.exception("fatal")
        sys.exit(1)
    mel = engine.say([1, 2, 3, 4])
    assert torch.allclose(mel, reference(torch.tensor([[1, 2, 3, 4]])), atol=1e-6)
    log.info("mel %s", tuple(mel.shape))
