"""Read one value of a meta tensor."""

import torch

x = torch.empty((), device="meta")
messages = []
for read in (x.item, lambda: bool(x), lambda: int(x), lambda: float(x)):
    try:
        read()
    except RuntimeError as error:
        messages.append(str(error))
assert messages == ["Tensor.item() cannot be called on meta tensors"] * 4
