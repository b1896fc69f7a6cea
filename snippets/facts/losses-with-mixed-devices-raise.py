"""Compare a meta prediction with real targets."""

import torch
from torch.nn import functional as F

x = torch.ones(4, 4)
meta = torch.empty(4, 4, device="meta")
labels = torch.zeros(4, dtype=torch.long)
calls = [
    lambda: F.mse_loss(meta, x),
    lambda: F.cross_entropy(meta, labels),
    lambda: F.cross_entropy(x, labels.to("meta")),
]
messages = []
for call in calls:
    try:
        call()
    except RuntimeError as error:
        messages.append(str(error))
assert len(messages) == 3
assert all("is not on the expected device" in message for message in messages)
