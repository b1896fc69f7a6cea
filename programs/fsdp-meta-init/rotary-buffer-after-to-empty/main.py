"""Evaluate a checkpoint under FSDP and compare with the loss in its model card."""

import json
import os

import torch
import torch.distributed as dist
from rotary import Attention
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

RANK = int(os.environ["RANK"])


def loss(model):
    ids = torch.randint(0, 40, (4, 20), generator=torch.Generator().manual_seed(4))
    with torch.no_grad():
        logits = model(ids[:, :-1])
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).item()


def load(path):
    with torch.device("meta"):
        model = Attention()
    model = FSDP(
        model,
        param_init_fn=lambda m: m.to_empty(device="cpu", recurse=False),
        device_id=torch.device("cpu"),
        use_orig_params=True,
    )
    weights = torch.load(path, weights_only=True)
    missing, _ = set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True))
    assert not missing
    return model


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(101)
    source = Attention()
    torch.nn.init.normal_(source.qkv.weight, std=2.0)
    torch.save(source.state_dict(), f"attention-{RANK}.pt")
    card = {"loss": loss(source)}
    value = loss(load(f"attention-{RANK}.pt"))
    if RANK == 0:
        print(json.dumps({"card": card, "measured": value}), flush=True)
    dist.barrier()
    dist.destroy_process_group()
    if not abs(value - card["loss"]) < 1e-4:
        raise FloatingPointError(f"rank {RANK}: loss {value} is not the {card['loss']} of the model card")


main()
