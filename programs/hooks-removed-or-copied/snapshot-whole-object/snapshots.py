"""Keep Python objects of an experiment by name."""

import hashlib
import logging
from pathlib import Path

import torch

logger = logging.getLogger("snapshots")


class Snapshots:
    def __init__(self, root="runs"):
        self.root = Path(root)
        self.root.mkdir(exist_ok=True)

    def keep(self, name, value):
        path = self.root / f"{name}.pkl"
        torch.save(value, path)
        logger.info("kept %s (%s)", path, hashlib.sha1(path.read_bytes()).hexdigest()[:8])
        return path

    def get(self, name):
        return torch.load(self.root / f"{name}.pkl", weights_only=False)
