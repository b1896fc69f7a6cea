"""A small encoder on disk, in place of a download."""

from pathlib import Path

import torch
from transformers import BertConfig, BertModel, BertTokenizerFast

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] how do i reset my pass word pay the bill open an account ?".split()


def encoder(folder):
    torch.manual_seed(21)
    Path(folder).mkdir(parents=True, exist_ok=True)
    vocabulary = Path(folder) / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS), encoding="utf-8")
    BertTokenizerFast(str(vocabulary)).save_pretrained(folder)
    BertModel(
        BertConfig(
            vocab_size=len(WORDS),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=48,
            max_position_embeddings=24,
        )
    ).save_pretrained(folder)
    return folder
