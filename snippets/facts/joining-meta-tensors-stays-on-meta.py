"""Join meta tensors."""

import torch

x = torch.empty(2, 3, device="meta")
assert torch.cat([x, x]).shape == (4, 3)
assert torch.stack([x, x]).shape == (2, 2, 3)
assert torch.nn.functional.pad(x, (1, 1)).shape == (2, 5)
assert torch.nn.utils.rnn.pad_sequence([x, x[:1]]).is_meta
assert torch.where(x > 0, x, x).is_meta
