"""Ask NumPy for the memory that a layer will take, while the layer is on the meta device."""

from torch import nn

layer = nn.Linear(64, 32, device="meta")

array = layer.weight.detach().numpy()
size = array.size * array.itemsize

# goal
assert size == 64 * 32 * 4
