"""Turn training checkpoints into TorchScript files."""

import dataclasses
import logging
import pathlib
import sys

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname).1s %(name)s] %(message)s")
log = logging.getLogger("export")


class ExportError(Exception):
    def __init__(self, path, stage):
        super().__init__(f"{path}: export failed in stage '{stage}'")
        self.stage = stage


@dataclasses.dataclass
class Spec:
    checkpoint: pathlib.Path
    features: int = 14
    hidden: int = 22

    def build(self):
        return nn.Sequential(
            nn.Linear(self.features, self.hidden),
            nn.BatchNorm1d(self.hidden),
            nn.SiLU(),
            nn.Linear(self.hidden, 1),
        )


def stage_load(spec):
    with torch.device("meta"):
        net = spec.build()
    state = torch.load(spec.checkpoint, weights_only=True)["state_dict"]
    net.load_state_dict({k.removeprefix("net."): v for k, v in state.items()}, assign=True)
    return net


def stage_place(net):
    return net.cpu().eval()


def stage_trace(net, spec):
    return torch.jit.trace(net, torch.zeros(2, spec.features))


def export(spec):
    stage = "load"
    try:
        net = stage_load(spec)
        stage = "place"
        net = stage_place(net)
        stage = "trace"
        return stage_trace(net, spec)
    except Exception as e:
        raise ExportError(spec.checkpoint, stage) from e


def main():
    spec = Spec(pathlib.Path("epoch=7-step=800.ckpt"))
    torch.manual_seed(2)
    net = spec.build().eval()
    state = {f"net.{k}": v for k, v in net.state_dict().items()}
    torch.save({"state_dict": state, "epoch": 7}, spec.checkpoint)
    log.info("exporting %s", spec.checkpoint)
    scripted = export(spec)
    x = torch.randn(5, spec.features, generator=torch.Generator().manual_seed(3))
    assert torch.allclose(scripted(x), net(x), atol=1e-6)
    log.info("done")


if __name__ == "__main__":
    main()
