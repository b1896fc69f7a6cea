"""Make meta the default device, look from another thread, and take it back."""

import threading

import torch

torch.set_default_device("meta")
assert torch.ones(2).is_meta
devices = []
thread = threading.Thread(target=lambda: devices.append(torch.ones(2).device.type))
thread.start()
thread.join()
torch.set_default_device("cpu")

assert devices == ["cpu"]
assert torch.ones(2).device.type == "cpu"
