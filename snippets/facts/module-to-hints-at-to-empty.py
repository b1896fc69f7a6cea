"""Move a module that was built on the meta device."""

from torch import nn

model = nn.Linear(2, 2, device="meta")
messages = []
for move in (lambda: model.to("cpu"), model.cpu):
    try:
        move()
    except NotImplementedError as error:
        messages.append(str(error))
assert "torch.nn.Module.to_empty()" in messages[0]
assert messages[1] == "Cannot copy out of meta tensor; no data!"
