"""Load a model by a map that was written by hand."""

import logging

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from safetensors.torch import save_file
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.second = nn.Linear(8, 8)
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        return self.norm(self.second(self.first(x).relu()))


def main():
    torch.manual_seed(0)
    save_file(Net().state_dict(), "net.safetensors")
    with init_empty_weights():
        net = Net()
    places = {"first": "cpu", "second": "cpu"}
    net = load_checkpoint_and_dispatch(net, "net.safetensors", device_map=places)
    logging.info("output %s", net(torch.ones(1, 4)).tolist())


if __name__ == "__main__":
    main()
