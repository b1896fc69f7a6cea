"""Run an encoder with the big feed-forward parts on disk."""

import logging
import sys
import tempfile

import torch
from accelerate import load_checkpoint_and_dispatch
from net import Encoder, write_checkpoint

logger = logging.getLogger(__name__)
DEVICE_MAP = {
    "embed": "cpu",
    "blocks.0": "cpu",
    "blocks.1": "cpu",
    "blocks.1.ff": "disk",
    "out": "cpu",
}


class OffloadError(Exception):
    pass


def build(checkpoint, folder):
    model = Encoder(device="meta")
    try:
        return load_checkpoint_and_dispatch(model, checkpoint, device_map=DEVICE_MAP, offload_folder=folder)
    except ValueError as e:
        raise OffloadError(f"cannot dispatch {checkpoint} with {DEVICE_MAP}") from e


def main():
    logging.basicConfig(level=logging.INFO, stream=sys.stdout)
    checkpoint = write_checkpoint("encoder.safetensors")
    with tempfile.TemporaryDirectory() as folder:
        model = build(checkpoint, folder)
        x = torch.arange(8)[None]
        with torch.no_grad():
            y = model(x)
        assert torch.allclose(y, Encoder.reference()(x), atol=1e-5)
    logger.info("pooled %s", y.shape)


if __name__ == "__main__":
    main()
