"""Read one value of a meta tensor on torch 2.3 or older."""

import torch

x = torch.empty((), device="meta")
messages = []
for read in (x.item, lambda: bool(x), lambda: float(x)):
    try:
        read()
    except NotImplementedError as error:
        messages.append(str(error))
assert len(messages) == 3
assert all("_local_scalar_dense" in message for message in messages)
assert issubclass(NotImplementedError, RuntimeError)
