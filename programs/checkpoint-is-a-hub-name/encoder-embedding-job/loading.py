"""One loader for all jobs."""

from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from cache import CACHE
from transformers import AutoConfig, AutoModel


def load_encoder(source, device="cpu"):
    config = AutoConfig.from_pretrained(source, cache_dir=CACHE, local_files_only=True)
    with init_empty_weights():
        encoder = AutoModel.from_config(config, add_pooling_layer=False)
    encoder = load_checkpoint_and_dispatch(encoder, source, device_map={"": device})
    return encoder.eval()
