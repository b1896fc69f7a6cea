"""Reach for the memory of a meta tensor."""

import torch
from torch.utils.dlpack import to_dlpack

x = torch.empty(3, device="meta")
messages = []
for call in (lambda: x.untyped_storage()[0], lambda: to_dlpack(x)):
    try:
        call()
    except (NotImplementedError, BufferError, RuntimeError) as error:
        messages.append(str(error))
assert messages == ["Not available for 'meta' device type", "Cannot pack tensors on meta"]
