import os
import sys

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp.wrap import ModuleWrapPolicy

RANK = int(os.environ["RANK"])


class Recommender(nn.Module):
    def __init__(self, users=40, items=60, dim=16):
        super().__init__()
        self.users, self.items = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.mlp = nn.Sequential(nn.Linear(2 * dim, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, u, i):
        return self.mlp(torch.cat([self.users(u), self.items(i)], -1)).squeeze(-1)


def rank0_print(*values):
    if RANK == 0:
        print(*values, flush=True)


def pretrained(path):
    """The result of the single-node run: weights and the validation loss it reported."""
    torch.manual_seed(55)
    model = Recommender()
    torch.save(model.state_dict(), path)
    with torch.no_grad():
        return validation_loss(model)


def validation_loss(model):
    g = torch.Generator().manual_seed(9)
    u, i = torch.randint(0, 40, (32,), generator=g), torch.randint(0, 60, (32,), generator=g)
    y = torch.rand(32, generator=g) * 4 + 1
    return nn.functional.mse_loss(model(u, i), y).item()


def setup(path):
    checkpoint = torch.load(path, weights_only=True)
    with torch.device("meta"):
        model = Recommender()
    model = FSDP(
        model,
        auto_wrap_policy=ModuleWrapPolicy({nn.Embedding, nn.Sequential}),
        device_id=torch.device("cpu"),
        use_orig_params=True,
    )
    set_model_state_dict(model, checkpoint, options=StateDictOptions(full_state_dict=True))
    return model


def main():
    dist.init_process_group("gloo")
    reported = pretrained(f"rec-{RANK}.pt")
    torch.manual_seed(RANK + 1)
    model = setup(f"rec-{RANK}.pt")
    with torch.no_grad():
        start = validation_loss(model)
    rank0_print(f"validation loss before fine-tuning {start:.5f}, pretraining reported {reported:.5f}")
    dist.barrier()
    dist.destroy_process_group()
    if abs(start - reported) > 1e-4:
        rank0_print("the fine-tune does not start from the pretrained weights")
        return 1
    return 0


sys.exit(main())
