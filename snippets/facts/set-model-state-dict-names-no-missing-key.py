"""Load a state dict that lacks a key into models sharded by FSDP, with set_model_state_dict()."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo")
cpu, options = torch.device("cpu"), StateDictOptions(full_state_dict=True)
checkpoint = nn.Linear(8, 2).state_dict()
del checkpoint["bias"]
told = []
for original in (True, False):
    with torch.device("meta"):
        model = nn.Linear(8, 2)
    model = FSDP(
        model,
        device_id=cpu,
        use_orig_params=original,
        param_init_fn=lambda module: module.to_empty(device=cpu, recurse=False),
    )
    try:
        told.append(str(set_model_state_dict(model, dict(checkpoint), options=options)))
    except RuntimeError as error:
        told.append(str(error))
dist.destroy_process_group()
assert told[0] == "<All keys matched successfully>"
assert "size mismatch" in told[1]
