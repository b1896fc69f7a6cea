import sys
from collections import OrderedDict

import npz_store
import numpy as np
import torch
from torch import nn

NAMES = {
    "encoder/dense/kernel": ("dense.weight", True),
    "encoder/dense/bias": ("dense.bias", False),
    "encoder/ln/scale": ("norm.weight", False),
    "encoder/ln/offset": ("norm.bias", False),
    "head/kernel": ("head.weight", True),
    "head/bias": ("head.bias", False),
}


def skeleton():
    with torch.device("meta"):
        return nn.Sequential(
            OrderedDict(dense=nn.Linear(6, 10), act=nn.GELU(), norm=nn.LayerNorm(10), head=nn.Linear(10, 3))
        )


def port(path):
    model = skeleton()
    parameters = dict(model.named_parameters())
    copied = 0
    for source, array in npz_store.read(path).items():
        target, transpose = NAMES[source]
        tensor = torch.from_numpy(array.T.copy() if transpose else array)
        owner, _, leaf = target.rpartition(".")
        setattr(model.get_submodule(owner), leaf, nn.Parameter(tensor))
        copied += tensor.numel()
    print(f"ported {copied} values into {len(parameters)} parameters")
    return model


def verify(model, arrays):
    for source, (target, transpose) in NAMES.items():
        owner, _, leaf = target.rpartition(".")
        stored = getattr(model.get_submodule(owner), leaf)
        assert not stored.is_meta, f"{target} holds no values after porting"
        values = stored.detach().numpy()
        np.testing.assert_allclose(values.T if transpose else values, arrays[source])


if __name__ == "__main__":
    arrays = npz_store.write("jax.npz")
    model = port("jax.npz")
    verify(model, arrays)
    torch.save(model.state_dict(), "ported.pt")
    sys.exit(0)
