import argparse

import torch
from safetensors.torch import load_model, save_model
from torch import nn


class Decoder(nn.Module):
    """Character model with a shared input and output table, and an output bias."""

    def __init__(self, vocab=48, dim=24):
        super().__init__()
        self.table = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)
        self.out.weight = self.table.weight

    def forward(self, ids):
        return self.out(self.rnn(self.table(ids))[0])


def train(path, steps=20):
    torch.manual_seed(3)
    model = Decoder()
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    ids = torch.arange(33)[None] % 7
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[0, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    save_model(model, path)
    return loss.item()


def restore(path, device):
    from safetensors.torch import load_file

    with torch.device("meta"):
        model = Decoder()
    missing, _ = model.load_state_dict(load_file(path), strict=False, assign=True)
    print(f"{len(missing)} key(s) not in {path}: {missing}")
    return model.to(device)


def sample(model, start, length):
    ids = [start]
    with torch.no_grad():
        for _ in range(length):
            ids.append(model(torch.tensor([ids]))[0, -1].argmax().item())
    return ids


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", default="decoder.safetensors")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    print(f"trained to {train(args.file):.2f}")
    text = sample(restore(args.file, args.device), 0, 8)
    twin = Decoder()
    load_model(twin, args.file)
    assert text == sample(twin, 0, 8), text
