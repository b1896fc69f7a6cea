"""Trace a training step of a speech model on meta; the CTC loss gets a stand-in with real memory."""

import torch
from torch import nn

frames, batch, classes = 12, 2, 5
lengths = torch.full((batch,), frames), torch.full((batch,), 3)
targets = torch.ones(batch, 3, dtype=torch.long)

with torch.device("meta"):
    model = nn.Linear(8, classes)
    scores = model(torch.empty(frames, batch, 8)).log_softmax(-1)

# code
loss = nn.functional.ctc_loss(torch.zeros_like(scores, device="cpu"), targets, *lengths)

# goal
assert scores.is_meta
assert scores.shape == (frames, batch, classes)
assert loss.shape == ()
