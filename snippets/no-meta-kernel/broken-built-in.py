"""Trace a training step of a speech model on meta; the loss is CTC."""

import torch
from torch import nn

frames, batch, classes = 12, 2, 5
lengths = torch.full((batch,), frames), torch.full((batch,), 3)
targets = torch.ones(batch, 3, dtype=torch.long)

with torch.device("meta"):
    model = nn.Linear(8, classes)
    scores = model(torch.empty(frames, batch, 8)).log_softmax(-1)

# code
loss = nn.functional.ctc_loss(scores, targets.to("meta"), *lengths)

# goal
assert scores.is_meta
assert scores.shape == (frames, batch, classes)
assert loss.shape == ()
