"""Call operators without a meta kernel."""

import torch
from torch import nn

x = torch.empty(4, 4, device="meta")
calls = [
    lambda: torch.linalg.lstsq(x, x),
    lambda: torch.histogram(x),
    lambda: x.to_sparse(),
    lambda: nn.functional.ctc_loss(
        torch.empty(5, 1, 3, device="meta"),
        torch.ones(1, 2, dtype=torch.long, device="meta"),
        torch.tensor([5]),
        torch.tensor([2]),
    ),
]
messages = []
for call in calls:
    try:
        call()
    except NotImplementedError as error:
        messages.append(str(error))
assert len(messages) == 4
assert all("Meta" in message for message in messages)
