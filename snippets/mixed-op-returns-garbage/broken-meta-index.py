"""Look up positions in a real table with an index that was created under the meta device."""

import torch

table = torch.randn(16, 32)

# code
with torch.device("meta"):
    positions = torch.arange(15, -1, -1)

rows = table[positions]

# goal
assert rows.device.type == "cpu"
assert torch.equal(rows, table.flip(0))
