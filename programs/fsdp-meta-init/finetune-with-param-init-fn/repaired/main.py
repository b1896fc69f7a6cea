"""finetune.py: two ranks, a checkpoint of the single-process run, a check of the first loss."""

import json
import os
import sys

import torch
import torch.distributed as dist
from blocks import LayerScale, Mixer
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp.wrap import ModuleWrapPolicy


def say(**fields):
    if os.environ["RANK"] == "0":
        print(json.dumps(fields), flush=True)


def data(seed):
    g = torch.Generator().manual_seed(seed)
    return torch.randn(16, 9, 12, generator=g), torch.randint(0, 3, (16,), generator=g)


def checkpoint(path):
    torch.manual_seed(27)
    model = Mixer()
    torch.save(model.state_dict(), path)
    x, y = data(0)
    return nn.functional.cross_entropy(model(x), y).item()


def wrapped(path):
    with torch.device("meta"):
        model = Mixer()
    model = FSDP(
        model,
        auto_wrap_policy=ModuleWrapPolicy({LayerScale}),
        param_init_fn=lambda module: module.to_empty(device="cpu", recurse=False),
        device_id=torch.device("cpu"),
        use_orig_params=True,
    )
    weights = torch.load(path, weights_only=True)
    set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True))
    return model


def main():
    dist.init_process_group("gloo")
    expected = checkpoint(f"mixer-{os.environ['RANK']}.pt")
    model = wrapped(f"mixer-{os.environ['RANK']}.pt")
    x, y = data(0)
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    say(first_loss=loss.item(), expected=expected)
    dist.barrier()
    dist.destroy_process_group()
    return int(abs(loss.item() - expected) > 1e-4)


sys.exit(main())
