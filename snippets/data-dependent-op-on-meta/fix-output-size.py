"""Work out on meta how many frames a duration predictor's output expands to."""

import torch

durations = [2, 1, 3]

# code
with torch.device("meta"):
    phones = torch.randn(3, 16)
    frames = phones.repeat_interleave(torch.tensor(durations), dim=0, output_size=sum(durations))

# goal
assert frames.shape == (6, 16)
