"""Sentiment baseline: bag of pretrained vectors and one linear layer."""

import logging

import torch
import vectors
from torch import nn

log = logging.getLogger("sentiment")
WORDS = ["<pad>", "good", "great", "bad", "awful", "film", "plot"]
TRAIN = [(["good", "film"], 1), (["great", "plot"], 1), (["bad", "film"], 0), (["awful", "plot"], 0)]


class Baseline(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.out = nn.Linear(dim, 2)

    def forward(self, ids):
        return self.out(self.embed(ids).mean(1))


def build(path, device):
    with torch.device("meta"):
        model = Baseline(len(WORDS), 10)
    with torch.no_grad():
        for word, values in vectors.read(path):
            model.embed.weight[WORDS.index(word)] = torch.tensor(values)
        model.embed.weight[0].zero_()
        nn.init.xavier_normal_(model.out.weight)
        nn.init.zeros_(model.out.bias)
    log.info("embedding holds %d words", len(WORDS))
    return model.to(device)


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    vectors.write("vectors.txt", WORDS, 10)
    model = build("vectors.txt", "cpu")
    ids = torch.tensor([[WORDS.index(w) for w in words] for words, _ in TRAIN])
    labels = torch.tensor([label for _, label in TRAIN])
    optimizer = torch.optim.SGD(model.out.parameters(), lr=0.5)
    for epoch in range(30):
        loss = nn.functional.cross_entropy(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    log.info("epoch %d loss %.4f", epoch, loss)
    assert (model(ids).argmax(-1) == labels).all()
    stored = dict(vectors.read("vectors.txt"))
    torch.testing.assert_close(model.embed.weight[1].tolist(), stored["good"], atol=1e-4, rtol=0)


main()
