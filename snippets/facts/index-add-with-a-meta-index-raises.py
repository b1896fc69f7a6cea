"""Write into a CPU tensor with an index on meta."""

import torch

x = torch.ones(4, 4)
index = torch.zeros(4, dtype=torch.long, device="meta")
calls = [
    lambda: x.index_add_(0, index, x),
    lambda: x.index_copy_(0, index, x),
    lambda: x.index_fill_(0, index, 7.0),
    lambda: x.take_along_dim(index.expand(4, 4), 0),
]
messages = []
for call in calls:
    try:
        call()
    except RuntimeError as error:
        messages.append(str(error))
assert len(messages) == 4
assert all("meta" in message for message in messages)
