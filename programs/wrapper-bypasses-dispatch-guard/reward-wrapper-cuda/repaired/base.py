"""What all scorers share."""

from torch import nn


class Scorer(nn.Module):
    """Call `ready(device)` before the first use."""

    def ready(self, device):
        self.score.to(device)
        return self.eval()
