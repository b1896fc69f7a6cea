"""Ask for the default device under a meta context."""

import torch

with torch.device("meta"):
    assert torch.get_default_device().type == "meta"
    assert torch.empty(0).device.type == "meta"
assert torch.get_default_device().type == "cpu"
