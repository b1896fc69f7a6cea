"""smooth.py: command line of the smoothing package."""

import logging

import torch

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")


def main():
    from operators import Smooth

    layer = Smooth(0.5)
    with torch.device("meta"):
        shape = layer(torch.empty(2, 5)).shape
    logging.info("meta run gives %s", tuple(shape))
    assert tuple(shape) == (2, 5)


if __name__ == "__main__":
    main()
