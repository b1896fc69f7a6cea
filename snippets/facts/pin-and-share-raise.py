"""Pin and share a meta tensor."""

import torch

x = torch.empty(2, device="meta")
messages = []
for call in (x.pin_memory, x.share_memory_):
    try:
        call()
    except RuntimeError as error:
        messages.append(str(error))
assert len(messages) == 2
