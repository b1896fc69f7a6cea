"""Embed short texts with a model that has a layer on disk."""

import logging

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoModel, OPTConfig, OPTModel, PreTrainedTokenizerFast

log = logging.getLogger("embed")
TEXTS = ["red chair", "a large wooden table"]


def tokenizer():
    words = ["<unk>", "red", "chair", "a", "large", "wooden", "table"]
    backend = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="<unk>")


def load(path):
    torch.manual_seed(0)
    config = OPTConfig(
        vocab_size=16,
        hidden_size=16,
        ffn_dim=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=32,
        word_embed_proj_dim=16,
    )
    OPTModel(config).save_pretrained(path)
    layout = {
        "decoder.embed_tokens": "cpu",
        "decoder.embed_positions": "cpu",
        "decoder.final_layer_norm": "cpu",
        "decoder.layers.0": "cpu",
        "decoder.layers.1": "disk",
    }
    return AutoModel.from_pretrained(path, device_map=layout, offload_folder=f"{path}/off").eval()


def main():
    logging.basicConfig(level=logging.INFO)
    model, tok = load("opt"), tokenizer()
    log.info("model ready, layers on %s", set(model.hf_device_map.values()))
    batch = tok(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        log.info("vectors %s", model(**batch).last_hidden_state.mean(1).shape)


main()
