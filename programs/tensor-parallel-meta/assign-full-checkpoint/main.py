"""Translate token ids with a small decoder on a mesh; weights come from one file."""

import logging
import sys

import torch
import torch.distributed as dist
from loader import load_into
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Decoder(nn.Module):
    def __init__(self, words=40, width=16):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.wide = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)
        self.head = nn.Linear(width, words)

    def forward(self, ids):
        return self.head(self.narrow(nn.functional.gelu(self.wide(self.table(ids)))))


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(asctime)s %(name)s %(message)s")
    torch.manual_seed(70)
    whole = Decoder()
    torch.save(whole.state_dict(), "decoder.pt")
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    with torch.device("meta"):
        model = Decoder()
    parallelize_module(model, mesh, {"wide": ColwiseParallel(), "narrow": RowwiseParallel()})
    load_into(model, "decoder.pt")
    ids = torch.arange(8)[None]
    try:
        with torch.inference_mode():
            words = model(ids).argmax(-1)
    except Exception:
        logging.exception("translation failed")
        dist.destroy_process_group()
        return 1
    dist.destroy_process_group()
    logging.info("words %s", words.tolist())
    return int(not torch.equal(words, whole(ids).argmax(-1)))


if __name__ == "__main__":
    sys.exit(main())
