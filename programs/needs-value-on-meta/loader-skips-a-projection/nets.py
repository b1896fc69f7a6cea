import torch
from safetensors.torch import save_file
from torch import nn


class TinyAudio(nn.Module):
    def __init__(self, mels=8, dim=12):
        super().__init__()
        self.input_norm = nn.LayerNorm(mels)
        self.proj = nn.Linear(mels, dim)
        self.out = nn.Linear(dim, 4)

    def forward(self, mel):
        return self.out(torch.relu(self.proj(self.input_norm(mel))).mean(1))


def export(path):
    """The release was written when the norm was still called mel_norm."""
    torch.manual_seed(70)
    model = TinyAudio().eval()
    nn.init.normal_(model.input_norm.weight)
    state = {k.replace("input_norm", "mel_norm"): v.clone() for k, v in model.state_dict().items()}
    save_file(state, path)
    return model
