"""One loader for all jobs."""

from cache import CACHE
from transformers import AutoModel


def load_encoder(source, device="cpu"):
    encoder = AutoModel.from_pretrained(
        source, device_map={"": device}, add_pooling_layer=False, cache_dir=CACHE, local_files_only=True
    )
    return encoder.eval()
