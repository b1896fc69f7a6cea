"""Ask for the state of autocast on meta."""

import torch

messages = []
for ask in (torch.is_autocast_enabled, torch.get_autocast_dtype):
    try:
        ask("meta")
    except RuntimeError as error:
        messages.append(str(error))
assert messages == [
    "unknown device type for autocast in get_autocast_dispatch_key_from_device_type",
    "unsupported scalarType",
]
assert not torch.amp.is_autocast_available("meta")
