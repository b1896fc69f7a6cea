"""Use a meta tensor where Python needs a number."""

import torch

x = torch.empty((), dtype=torch.long, device="meta")
calls = [
    lambda: 1 in x.expand(3),
    lambda: range(x),
    lambda: torch.ones(3)[:x],
    lambda: torch.full((2,), x),
    lambda: torch.arange(x),
    lambda: torch.tensor([x]),
]
messages = []
for call in calls:
    try:
        call()
    except RuntimeError as error:
        messages.append(str(error))
assert messages == ["Tensor.item() cannot be called on meta tensors"] * 6
