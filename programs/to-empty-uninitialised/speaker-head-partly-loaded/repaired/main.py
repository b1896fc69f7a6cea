import logging
import math

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)-7s %(message)s")
torch.use_deterministic_algorithms(True)


class SpeechModel(nn.Module):
    def __init__(self, mels=20, width=32, speakers=6):
        super().__init__()
        self.frontend = nn.Conv1d(mels, width, 3, padding=1)
        self.encoder = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True)
        self.speaker_norm = nn.LayerNorm(width)
        self.speaker_head = nn.Linear(width, speakers)

    def forward(self, mels):
        hidden = self.encoder(self.frontend(mels).transpose(1, 2))
        return self.speaker_head(self.speaker_norm(hidden.mean(1)))


def pretrained(path):
    """The public release: frontend and encoder, no speaker task."""
    torch.manual_seed(2)
    state = SpeechModel().state_dict()
    torch.save({k: v for k, v in state.items() if not k.startswith("speaker")}, path)


def build(path, device):
    with torch.device("meta"):
        model = SpeechModel()
    model.to_empty(device=device)
    missing, unexpected = model.load_state_dict(torch.load(path), strict=False)
    logging.info("loaded %s, new: %s", path, ", ".join(missing))
    assert not unexpected
    for name in {key.rpartition(".")[0] for key in missing}:
        model.get_submodule(name).reset_parameters()
    return model


def finetune(model, steps=5):
    rng = torch.Generator().manual_seed(3)
    mels, speaker = torch.randn(6, 20, 15, generator=rng), torch.arange(6)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(steps):
        loss = nn.functional.cross_entropy(model(mels), speaker)
        logging.info("step %d loss %s", step, round(loss.item(), 3))
        if not math.isfinite(loss.item()):
            raise FloatingPointError(f"loss is {loss.item()} at step {step}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    pretrained("speech-base.pt")
    assert finetune(build("speech-base.pt", "cpu")) < 3
