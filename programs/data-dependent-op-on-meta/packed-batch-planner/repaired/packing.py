"""First-fit packing of sequences into rows of a fixed length."""

from dataclasses import dataclass

import torch


@dataclass
class Packed:
    tokens: torch.Tensor
    lengths: torch.Tensor

    def boundaries(self):
        ends = self.lengths.cumsum(0)
        return list(zip([0, *ends.tolist()[:-1]], ends.tolist()))


def pack(lengths, width, vocab):
    rows = -(-sum(lengths) // width)
    return Packed(torch.randint(0, vocab, (rows * width,)), torch.tensor(lengths, device="cpu"))
