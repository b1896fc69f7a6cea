# %% [markdown]
# # Classifier head: how many parameters, for how many classes?

# %%
import torch
from torch import nn

torch.manual_seed(0)
labels_per_file = {
    "monday.csv": [3, 3, 1, 0, 7],
    "tuesday.csv": [1, 1, 9, 3],
    "wednesday.csv": [0, 0, 4],
}


# %%
class Classifier(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, 4 * features), nn.ReLU(), nn.LayerNorm(4 * features))
        self.head = nn.Linear(4 * features, classes)

    def forward(self, x):
        return self.head(self.trunk(x))


def all_labels():
    return torch.tensor([label for rows in labels_per_file.values() for label in rows])


# %%
# nothing is allocated here, we only want the sizes
with torch.device("meta"):
    labels = all_labels()
    classes, counts = labels.unique(return_counts=True)
    model = Classifier(features=128, classes=len(classes))

# %%
total = sum(p.numel() for p in model.parameters())
print(f"{len(classes)} classes, {total:,} parameters")
print("counts per class:", dict(zip(classes.tolist(), counts.tolist())))

# %%
assert len(classes) == 6
assert model.head.out_features == 6
assert counts.sum() == 12
