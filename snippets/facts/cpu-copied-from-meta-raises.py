"""Copy a meta tensor into a real one."""

import torch

x = torch.ones(2)
messages = []
for write in (
    lambda: x.copy_(torch.empty(2, device="meta")),
    lambda: x.__setitem__(0, torch.empty((), device="meta")),
):
    try:
        write()
    except NotImplementedError as error:
        messages.append(str(error))
assert messages == ["Cannot copy out of meta tensor; no data!"] * 2
