"""A dense retriever that shares its machine with other services, so half of its layers stay on disk."""

import pathlib
import sys

import torch
from backends import Backend
from sentence_transformers import SentenceTransformer
from transformers import BertConfig, BertModel, BertTokenizerFast

ROOT = pathlib.Path("retriever")
TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "red", "green", "blue", "car", "boat", "old", "new"]


def prepare():
    torch.manual_seed(3)
    ROOT.mkdir(exist_ok=True)
    (ROOT / "vocab.txt").write_text("\n".join(TOKENS), encoding="utf-8")
    BertTokenizerFast(str(ROOT / "vocab.txt")).save_pretrained(ROOT)
    config = BertConfig(
        vocab_size=len(TOKENS),
        hidden_size=24,
        num_hidden_layers=4,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=16,
    )
    BertModel(config).save_pretrained(ROOT)


class DenseBackend(Backend):
    name = "dense"

    def load(self):
        places = {"embeddings": "cpu", "pooler": "cpu"}
        for layer in range(4):
            places[f"encoder.layer.{layer}"] = "cpu" if layer < 2 else "disk"
        return SentenceTransformer(
            str(ROOT), model_kwargs={"device_map": places, "offload_folder": str(ROOT / "spill")}
        )


def main():
    prepare()
    backend = DenseBackend()
    texts = ["old red car", "new blue boat", "green car"]
    hits = [backend.search(text, texts)[0] for text in texts]
    print("\n".join(hits))
    return 0 if hits == texts else 1


if __name__ == "__main__":
    sys.exit(main())
