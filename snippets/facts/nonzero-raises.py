"""Ask where a meta tensor is not zero."""

import torch

x = torch.empty(3, device="meta")
messages = []
for read in (x.nonzero, lambda: torch.where(x > 0), lambda: x[x > 0]):
    try:
        read()
    except NotImplementedError as error:
        messages.append(str(error))
assert len(messages) == 3
assert all("register_meta function for torch.nonzero()" in message for message in messages)
