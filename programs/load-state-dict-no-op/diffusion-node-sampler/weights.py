import torch
from dit import DiT

CHECKPOINT = "dit_small.pt"


def ensure_checkpoint():
    torch.manual_seed(77)
    model = DiT().eval()
    torch.save(model.state_dict(), CHECKPOINT)
    return model
