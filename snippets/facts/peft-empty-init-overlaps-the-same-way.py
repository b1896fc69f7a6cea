"""Leave two init_empty_weights() of PEFT in the order in which they were entered."""

from peft.utils.integrations import init_empty_weights
from torch import nn

first, second = init_empty_weights(), init_empty_weights()
first.__enter__()
second.__enter__()
first.__exit__(None, None, None)
second.__exit__(None, None, None)
assert nn.Linear(2, 2).weight.is_meta
