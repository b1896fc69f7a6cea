"""Run an LSTM that was built on the meta device on a real sequence."""

import torch
from torch import nn

trained = nn.LSTM(8, 16)
x = torch.randn(5, 1, 8)

with torch.device("meta"):
    model = nn.LSTM(8, 16)

# code
model.load_state_dict(trained.state_dict(), assign=True)
output, _ = model(x)

# goal
assert torch.allclose(output, trained(x)[0], atol=1e-5)
