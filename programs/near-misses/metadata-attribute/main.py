import concurrent.futures
import logging

import torch
from volumes import Volume, spacing

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("predict")


def load(number):
    torch.manual_seed(number)
    return Volume.of(torch.rand(1, 1, 4, 8, 8), spacing=(2.0, 0.7, 0.7), name=f"case{number}")


def predict(net, volume):
    with torch.no_grad():
        mask = net(volume.as_subclass(torch.Tensor)).sigmoid() > 0.5
    return mask


def write(mask):
    z, y, x = spacing(mask)
    return float(mask.sum()) * z * y * x


def main():
    net = torch.nn.Conv3d(1, 1, 3, padding=1)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        volumes = list(pool.map(load, range(2)))
        masks = [predict(net, v) for v in volumes]
        for volume, size in zip(volumes, pool.map(write, masks)):
            log.info("%s: %.1f mm3", volume.meta["name"], size)


main()
