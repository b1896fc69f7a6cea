"""Move a meta tensor by other calls than to(device)."""

import torch

x = torch.empty(2, device="meta")
real = torch.ones(2)
calls = [
    lambda: torch.as_tensor(x, device="cpu"),
    lambda: x.type(torch.FloatTensor),
    lambda: x.to(real),
    lambda: x.numpy(force=True),
]
messages = []
for call in calls:
    try:
        call()
    except NotImplementedError as error:
        messages.append(str(error))
assert messages == ["Cannot copy out of meta tensor; no data!"] * 4
assert real.to(x).is_meta
assert real.type_as(x).is_meta
