"""Make meta the default device, look from another thread, and take it back."""

import threading

import torch

try:
    torch.set_default_device("meta")
    torch.ones(2).cpu()
except NotImplementedError as error:
    message = str(error)
assert message == "Cannot copy out of meta tensor; no data!"
assert torch.ones(2).is_meta
devices = []
thread = threading.Thread(target=lambda: devices.append(torch.ones(2).device.type))
thread.start()
thread.join()
torch.set_default_device("cpu")

assert devices == ["cpu"]
assert torch.ones(2).device.type == "cpu"
