"""Fine-tune a pretrained image net on a new set of classes."""

import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("finetune")


class ImageNet(nn.Module):
    def __init__(self, classes, width=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, width, 3, 2, 1), nn.BatchNorm2d(width), nn.ReLU(), nn.AdaptiveAvgPool2d(2)
        )
        self.classifier = nn.Linear(4 * width, classes)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def pretrained(path):
    torch.manual_seed(1)
    torch.save(ImageNet(classes=100).state_dict(), path)


def create_model(path, classes, device):
    with torch.device("meta"):
        model = ImageNet(classes)
    state = torch.load(path, map_location="cpu", weights_only=True)
    for key in ("classifier.weight", "classifier.bias"):
        if state[key].shape != model.state_dict()[key].shape:
            log.info("dropping %s %s from the checkpoint", key, tuple(state[key].shape))
            state.pop(key)
    msg = model.load_state_dict(state, strict=False, assign=True)
    log.info("missing keys: %s", msg.missing_keys)
    for module in model.modules():
        if any(p.is_meta for p in module.parameters(recurse=False)):
            module.to_empty(device=device, recurse=False)
            module.reset_parameters()
    return model.to(device)


def train(model, device, epochs):
    g = torch.Generator().manual_seed(0)
    x, y = torch.randn(12, 3, 16, 16, generator=g).to(device), (torch.arange(12) % 5).to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    history = []
    for _ in range(epochs):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--finetune", default="imagenet.pt")
    ap.add_argument("--nb_classes", type=int, default=5)
    ap.add_argument("--device", default="cpu")
    ap.add_argument("--epochs", type=int, default=8)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    pretrained(args.finetune)
    model = create_model(args.finetune, args.nb_classes, args.device)
    history = train(model, args.device, args.epochs)
    log.info("loss %.3f -> %.3f", history[0], history[-1])
    assert 1.0 < history[0] < 3.0
    assert history[-1] < history[0]


if __name__ == "__main__":
    main()
