"""Copy a meta tensor."""

import copy
import pickle

import torch

x = torch.empty(2, device="meta")
assert copy.deepcopy(x).is_meta
assert pickle.loads(pickle.dumps(x)).is_meta
