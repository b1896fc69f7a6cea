"""Call an operator of an extension with a meta tensor."""

import torch
from torch._subclasses import FakeTensorMode

library = torch.library.Library("shop", "DEF")
library.define("scale(Tensor x) -> Tensor")
library.impl("scale", lambda x: 2 * x, "CPU")
x = torch.empty(3, device="meta")
message = ""
try:
    torch.ops.shop.scale(x)
except NotImplementedError as error:
    message = str(error)
assert "shop::scale" in message

library.impl("scale", lambda x: torch.empty_like(x), "Meta")
assert torch.ops.shop.scale(x).is_meta
with FakeTensorMode():
    assert torch.ops.shop.scale(torch.empty(3)).shape == (3,)
