"""Take a meta tensor apart."""

import torch

x = torch.empty(4, 3, device="meta")
assert len(x) == 4
assert all(row.is_meta for row in x)
assert [part.shape for part in x.split(2)] == [(2, 3), (2, 3)]
assert x.reshape(-1).shape == (12,)

message = ""
try:
    f"{x.sum():.2f}"
except TypeError as error:
    message = str(error)
assert message == "unsupported format string passed to Tensor.__format__"
