"""Attend from real queries to keys and values of a cache that was allocated on meta."""

import torch
from torch.nn.functional import scaled_dot_product_attention

query = torch.randn(1, 2, 4, 8)

# code
with torch.device("meta"):
    keys, values = torch.randn(2, 1, 2, 4, 8)

output = scaled_dot_product_attention(query, keys, values)

# goal
assert output.device.type == "cpu"
assert output.isfinite().all()
