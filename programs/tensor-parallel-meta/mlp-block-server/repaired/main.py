"""Serve a stack of blocks over all ranks: torchrun main.py"""

import logging
import os

import blocks
import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh

log = logging.getLogger("server")


def trained(path="blocks.pt"):
    torch.manual_seed(40)
    model = blocks.stack(3)
    if int(os.environ.get("RANK", 0)) == 0:
        torch.save(model.state_dict(), path)
    return model, path


class Server:
    def __init__(self, path, mesh):
        with torch.device("meta"):
            self.model = blocks.stack(3)
        blocks.split(self.model, mesh)
        self.weights = torch.load(path, map_location="cpu", weights_only=True)
        self.model.to_empty(device="cpu")
        set_model_state_dict(self.model, self.weights, options=StateDictOptions(full_state_dict=True))
        log.info("%d tensors read", len(self.weights))

    @torch.no_grad()
    def handle(self, batch):
        return self.model(batch)


def main():
    logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(name)s] %(message)s")
    dist.init_process_group("gloo")
    try:
        whole, path = trained()
        server = Server(path, init_device_mesh("cpu", (dist.get_world_size(),)))
        batch = torch.linspace(-1, 1, 32).view(2, 16)
        answer = server.handle(batch)
        log.info("answered %s", tuple(answer.shape))
        torch.testing.assert_close(answer, whole(batch).detach())
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
