import logging
from pathlib import Path

import torch
from plugins import HalfPrecisionExport, Manager
from transformers import AutoModel, ViTConfig, ViTModel

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
log = logging.getLogger("export")
CONFIG = ViTConfig(
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=32,
    image_size=8,
    patch_size=4,
)


def open_encoder(path):
    device_map = {"embeddings": "disk"}
    model = ViTModel(CONFIG, add_pooling_layer=False)
    device_map |= {name: "cpu" for name, _ in model.named_children() if name != "embeddings"}
    return AutoModel.from_pretrained(
        path, device_map=device_map, offload_folder=f"{path}-off", add_pooling_layer=False
    )


def main():
    torch.manual_seed(74)
    original = ViTModel(CONFIG, add_pooling_layer=False)
    original.save_pretrained("encoder")
    model = open_encoder("encoder")
    log.info("opened with %s", model.hf_device_map)
    half = Manager(HalfPrecisionExport()).run(model, "encoder")
    torch.save(half.state_dict(), "encoder.half.pt")
    log.info("wrote %d bytes", Path("encoder.half.pt").stat().st_size)
    stored = torch.load("encoder.half.pt", weights_only=True)
    for name, tensor in original.state_dict().items():
        torch.testing.assert_close(stored[name], tensor.half())


if __name__ == "__main__":
    main()
