"""Run operators whose result depends on values."""

import torch

x = torch.empty(3, dtype=torch.long, device="meta")
messages = []
calls = (lambda: torch.equal(x, x), x.unique, x.bincount, lambda: x.masked_select(x > 0))
for call in calls:
    try:
        call()
    except NotImplementedError as error:
        messages.append(str(error))
assert len(messages) == 4
assert all("attempted to run this operator with Meta tensors" in message for message in messages)
