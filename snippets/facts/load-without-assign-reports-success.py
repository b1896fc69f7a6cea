"""Load a checkpoint into a meta module."""

import warnings

from torch import nn

model = nn.Linear(4, 2, device="meta")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result = model.load_state_dict(nn.Linear(4, 2).state_dict())
assert "All keys matched" in repr(result)
assert all("is a no-op" in str(item.message) for item in caught)
assert len(caught) == 2
assert model.weight.is_meta
