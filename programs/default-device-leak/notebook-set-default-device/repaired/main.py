# %%
import torch
import torch.nn as nn

torch.manual_seed(0)


# %%
class Patchwork(nn.Module):
    def __init__(self, channels, depth):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 4, stride=4)
        self.body = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(depth))
        self.head = nn.Linear(channels, 10)

    def forward(self, x):
        x = self.stem(x)
        for layer in self.body:
            x = x + torch.relu(layer(x))
        return self.head(x.mean((2, 3)))


# %% how big would the large one be?
torch.set_default_device("meta")
large = Patchwork(channels=4096, depth=60)
print(f"large: {sum(p.numel() for p in large.parameters()) / 1e9:.1f} B parameters")
del large

# %% too big, take the small one
torch.set_default_device("cpu")
model = Patchwork(channels=16, depth=3)
model = model.to("cpu")
print(f"small: {sum(p.numel() for p in model.parameters()):,} parameters")

# %%
images = torch.rand(8, 3, 32, 32)
labels = torch.randint(0, 10, (8,))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
history = []
for step in range(15):
    loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history.append(loss.item())
print("loss", history[0], "->", history[-1])
assert history[-1] < history[0]
