"""Build tensors in two threads, one of them under a device context."""

import threading

import torch

seen = []
with torch.device("meta"):
    here = torch.ones(1).device.type
    thread = threading.Thread(target=lambda: seen.append(torch.ones(1).device.type))
    thread.start()
    thread.join()
assert here == "meta"
assert seen == ["cpu"]
