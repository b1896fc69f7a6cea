"""Multiply and add with one operand on meta."""

import torch

torch.use_deterministic_algorithms(True)
x = torch.ones(4, 4)
meta = torch.empty(4, 4, device="meta")
assert torch.addmm(x, x, meta).isnan().all()
assert torch.baddbmm(x[None], x[None], meta[None]).isnan().all()
assert torch.baddbmm(meta[None], x[None], x[None]).is_meta

messages = []
for call in (
    lambda: torch.addmm(meta, x, x),
    lambda: torch.mv(x, meta[0]),
    lambda: torch.outer(x[0], meta[0]),
):
    try:
        call()
    except RuntimeError as error:
        messages.append(str(error))
assert messages == ["Tensor on device meta is not on the expected device cpu!"] * 3
