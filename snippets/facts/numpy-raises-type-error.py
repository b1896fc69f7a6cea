"""Hand a meta tensor to NumPy."""

import numpy as np
import torch

x = torch.empty(2, device="meta")
messages = []
for convert in (x.numpy, lambda: np.asarray(x), lambda: x.cpu().numpy()):
    try:
        convert()
    except (TypeError, NotImplementedError) as error:
        messages.append(f"{type(error).__name__}: {error}")
advice = "Use Tensor.cpu() to copy the tensor to host memory first"
assert all(message.startswith("TypeError") and advice in message for message in messages[:2])
assert messages[2] == "NotImplementedError: Cannot copy out of meta tensor; no data!"
