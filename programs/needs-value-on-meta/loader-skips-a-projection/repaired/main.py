"""Stream tensors from a safetensors file into an empty model, one at a time."""

import argparse
import logging
import sys

import torch
from accelerate import init_empty_weights
from accelerate.utils import set_module_tensor_to_device
from nets import TinyAudio, export
from safetensors import safe_open

log = logging.getLogger("stream-load")
RENAMED = {"mel_norm.weight": "input_norm.weight", "mel_norm.bias": "input_norm.bias"}


def stream(path, device):
    with init_empty_weights():
        model = TinyAudio()
    with safe_open(path, framework="pt", device="cpu") as f:
        stored = set(f.keys())
        old_names = {new: old for old, new in RENAMED.items()}
        for name, _ in list(model.named_parameters()):
            value = f.get_tensor(name if name in stored else old_names[name])
            try:
                set_module_tensor_to_device(model, name, device, value=value)
            except ValueError:
                log.error("cannot place %s (in file: %s)", name, name in stored)
                raise
    log.info("%d parameters placed on %s", len(list(model.parameters())), device)
    return model.eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--file", default="audio.safetensors")
    ap.add_argument("--device", default="cpu")
    args = ap.parse_args()
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)s: %(message)s")
    reference = export(args.file)
    model = stream(args.file, args.device)
    mel = torch.randn(2, 10, 8, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        assert torch.allclose(model(mel), reference(mel), atol=1e-6)
    log.info("output agrees")


if __name__ == "__main__":
    main()
