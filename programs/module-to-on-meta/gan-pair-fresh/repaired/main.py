# %% [markdown]
# # A tiny GAN on a ring of points
# Exported from a notebook.

# %%
import math

import torch
from torch import nn

torch.manual_seed(7)
device = "cuda" if torch.cuda.is_available() else "cpu"
print("using", device, "| torch", torch.__version__)


# %%
def mlp(*sizes, last=None):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    layers.pop()
    if last:
        layers.append(last)
    return nn.Sequential(*layers)


def ring(n):
    angle = torch.rand(n) * 2 * math.pi
    return torch.stack([angle.cos(), angle.sin()], 1)


# %%
with torch.device("meta"):
    generator = mlp(4, 32, 32, 2)
    critic = mlp(2, 32, 32, 1)

for net in (generator, critic):
    print(sum(p.numel() for p in net.parameters()), "parameters on", net[0].weight.device)

for net in (generator, critic):
    net.to_empty(device=device)
    for layer in net.modules():
        if hasattr(layer, "reset_parameters"):
            layer.reset_parameters()

# %%
opt_g = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.5, 0.9))
bce = nn.BCEWithLogitsLoss()
one, zero = torch.ones(64, 1, device=device), torch.zeros(64, 1, device=device)

history = []
for step in range(30):
    real = ring(64).to(device)
    fake = generator(torch.randn(64, 4, device=device))
    loss_c = bce(critic(real), one) + bce(critic(fake.detach()), zero)
    opt_c.zero_grad()
    loss_c.backward()
    opt_c.step()
    loss_g = bce(critic(fake), one)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    history.append(loss_c.item())

# %%
print("critic loss", round(history[0], 3), "->", round(history[-1], 3))
assert abs(history[0] - 2 * math.log(2)) < 0.3
assert all(map(math.isfinite, history))
