"""Write step 0. With dry_run nothing is allocated, only sizes are printed."""

import logging
import os

import torch
from torch import nn

log = logging.getLogger("pretrain")


def make_model():
    return nn.TransformerEncoder(
        nn.TransformerEncoderLayer(d_model=16, nhead=2, dim_feedforward=32, batch_first=True),
        num_layers=2,
        enable_nested_tensor=False,
    )


def run(folder, dry_run):
    os.makedirs(folder, exist_ok=True)
    with torch.device("meta" if dry_run else "cpu"):
        model = make_model()
    log.info("%d parameters, dry_run=%s", sum(p.numel() for p in model.parameters()), dry_run)
    path = os.path.join(folder, "step-0.pt")
    torch.save({"model": model.state_dict(), "step": 0}, path)
    return path
