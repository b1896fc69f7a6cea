"""Fine-tune with layer-wise learning rates."""

import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("layerwise")


def tower(device=None):
    return nn.ModuleDict(
        {
            "embed": nn.Linear(10, 24, device=device),
            "mid": nn.Linear(24, 24, device=device),
            "head": nn.Linear(24, 4, device=device),
        }
    )


def forward(model, x):
    x = torch.relu(model["embed"](x))
    x = torch.relu(model["mid"](x))
    return model["head"](x)


def param_groups(model, lr, decay):
    groups = []
    for depth, (name, part) in enumerate(reversed(model.items())):
        groups.append({"name": name, "params": list(part.parameters()), "lr": lr * decay**depth})
    return groups


def pretrained(path):
    torch.manual_seed(23)
    torch.save(tower().state_dict(), path)


def audit(opt):
    return [g["name"] for g in opt.param_groups if all(p.grad is None for p in g["params"])]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="tower.pt")
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--decay", type=float, default=0.5)
    ap.add_argument("--steps", type=int, default=10)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    pretrained(args.weights)
    model = tower(device="meta")
    model.load_state_dict(torch.load(args.weights, weights_only=True), assign=True)
    model.requires_grad_(True)
    opt = torch.optim.AdamW(param_groups(model, args.lr, args.decay))
    g = torch.Generator().manual_seed(0)
    x = torch.randn(40, 10, generator=g)
    y = x[:, :4].argmax(1)
    losses = []
    for _ in range(args.steps):
        loss = nn.functional.cross_entropy(forward(model, x), y)
        opt.zero_grad()
        loss.backward()
        idle = audit(opt)
        opt.step()
        losses.append(round(loss.item(), 4))
    log.info("losses %s", losses)
    if idle:
        raise RuntimeError(f"groups without gradients: {idle}")
    assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
