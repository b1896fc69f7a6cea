import torch
from torch import nn


class NetClassifier:
    def __init__(self, hidden=16, lr=0.01, epochs=60, device="cpu", seed=0):
        self.hidden, self.lr, self.epochs = hidden, lr, epochs
        self.device, self.seed = device, seed
        self.net_ = None

    def _build(self, features, classes, device=None):
        torch.manual_seed(self.seed)
        return nn.Sequential(
            nn.Linear(features, self.hidden, device=device),
            nn.ReLU(),
            nn.Linear(self.hidden, classes, device=device),
        )

    def n_parameters(self, features, classes):
        self.net_ = self._build(features, classes, device="meta")
        return sum(p.numel() for p in self.net_.parameters())

    def fit(self, x, y):
        if self.net_ is None:
            self.net_ = self._build(x.shape[1], int(y.max()) + 1)
        net = self.net_.to_empty(device=self.device)
        torch.manual_seed(self.seed)
        for layer in net:
            if hasattr(layer, "reset_parameters"):
                layer.reset_parameters()
        x = torch.as_tensor(x, dtype=torch.float32, device=self.device)
        y = torch.as_tensor(y, device=self.device)
        opt = torch.optim.Adam(net.parameters(), lr=self.lr)
        for _ in range(self.epochs):
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        return self

    def predict(self, x):
        with torch.no_grad():
            x = torch.as_tensor(x, dtype=torch.float32, device=self.device)
            return self.net_(x).argmax(1).cpu().numpy()
