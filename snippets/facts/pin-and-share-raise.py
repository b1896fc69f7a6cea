"""Pin and share a meta tensor."""

import torch

x = torch.empty(2, device="meta")
messages = []
for call in (x.pin_memory, x.share_memory_):
    try:
        call()
    except RuntimeError as error:
        messages.append(str(error))
assert "only dense CPU tensors can be pinned" in messages[0]
assert "only available on CPU" in messages[1]
