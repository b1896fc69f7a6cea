import torch
from torch import nn

NAMES = ("mlp", "wide")


def build(name):
    width = {"mlp": 8, "wide": 32}[name]
    return nn.Sequential(nn.Linear(6, width), nn.LayerNorm(width), nn.Linear(width, 2))


def weights_file(name):
    path = f"{name}.pt"
    try:
        open(path).close()
    except FileNotFoundError:
        torch.manual_seed(len(name))
        model = build(name).eval()
        torch.save(model.state_dict(), path)
        with torch.no_grad():
            torch.save(model(torch.ones(1, 6)), f"{name}.out")
    return path
