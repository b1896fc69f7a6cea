"""Send a meta tensor through two collectives."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
x = torch.empty(3, device="meta")
dist.all_reduce(x)
dist.broadcast(x, src=0)
dist.destroy_process_group()

assert x.is_meta
