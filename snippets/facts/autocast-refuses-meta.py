"""Enter autocast with the device type of a meta tensor."""

import torch

message = ""
try:
    with torch.autocast("meta"):
        pass
except RuntimeError as error:
    message = str(error)
assert "unsupported" in message
