"""Attend with operands on two devices."""

import torch
import torch.nn.functional as F

torch.use_deterministic_algorithms(True)
q = torch.ones(1, 2, 4, 8)
m = torch.empty(1, 2, 4, 8, device="meta")
message = ""
try:
    F.scaled_dot_product_attention(q, m, m)
except RuntimeError as error:
    message = str(error)
assert "Expected query, key, and value to have the same device type" in message
y = F.scaled_dot_product_attention(q, q, q, attn_mask=torch.empty(4, 4, device="meta"))
assert y.device.type == "cpu"
assert y.isnan().all()
