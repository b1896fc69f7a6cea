"""Copy a meta tensor to the CPU."""

import torch
import unmeta

message = ""
try:
    torch.empty(1, device="meta").cpu()
except NotImplementedError as error:
    message = str(error)
assert "no data" in message
