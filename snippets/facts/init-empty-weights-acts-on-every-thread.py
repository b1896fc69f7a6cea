"""Build a layer in one thread while another is inside init_empty_weights()."""

import threading

from accelerate import init_empty_weights
from torch import nn

seen = []
with init_empty_weights():
    thread = threading.Thread(target=lambda: seen.append(nn.Linear(2, 2).weight.is_meta))
    thread.start()
    thread.join()
assert seen == [True]
assert not nn.Linear(2, 2).weight.is_meta
