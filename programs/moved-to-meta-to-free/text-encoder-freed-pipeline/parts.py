import torch
from torch import nn
from transformers import T5Config, T5EncoderModel


class Denoiser(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        torch.manual_seed(12)
        self.cond = nn.Linear(dim, 3 * 4 * 4)

    def forward(self, cond, frames):
        x = self.cond(cond).reshape(-1, 1, 3, 4, 4)
        return torch.tanh(x).repeat(1, frames, 1, 1, 1)


def write_encoder(folder):
    torch.manual_seed(2)
    config = T5Config(vocab_size=32, d_model=24, d_kv=8, d_ff=48, num_layers=2, num_heads=3)
    T5EncoderModel(config).save_pretrained(folder)
    return folder
