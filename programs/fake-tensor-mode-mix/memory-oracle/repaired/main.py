"""Ask how much memory a batch needs before sending it to the trainer."""

import logging
from collections.abc import Iterator

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils.data import DataLoader, TensorDataset

logger = logging.getLogger("oracle")


class TextCnn(nn.Module):
    def __init__(self, vocab=100, width=16, classes=4):
        super().__init__()
        self.table = nn.Embedding(vocab, width)
        self.convs = nn.ModuleList(nn.Conv1d(width, width, k, padding=k // 2) for k in (3, 5))
        self.out = nn.Linear(2 * width, classes)

    def forward(self, ids):
        x = self.table(ids).transpose(1, 2)
        pooled = [conv(x).relu().amax(-1) for conv in self.convs]
        return self.out(torch.cat(pooled, 1))


class Oracle:
    """Keeps a fake copy of the model and predicts bytes of activations."""

    def __init__(self, build):
        self.mode = FakeTensorMode()
        with self.mode:
            self.model = build()
        self.total = 0
        for module in self.model.modules():
            if not list(module.children()):
                module.register_forward_hook(self._add)

    def _add(self, _module, _args, output):
        self.total += output.numel() * output.element_size()

    def predict(self, ids):
        self.total = 0
        with self.mode, torch.no_grad():
            self.model(self.mode.from_tensor(ids))
        return self.total


def batches() -> Iterator[torch.Tensor]:
    ids = torch.randint(0, 100, (24, 30))
    for (batch,) in DataLoader(TensorDataset(ids), batch_size=8):
        yield batch


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    oracle = Oracle(TextCnn)
    for step, batch in enumerate(batches()):
        need = oracle.predict(batch)
        logger.info("step %d needs %d bytes", step, need)
        assert need == 4 * 8 * (30 * 16 + 2 * 30 * 16 + 4)


if __name__ == "__main__":
    main()
