"""Fill the store with the notes of a folder and look one up again."""

import logging
from pathlib import Path

import torch
from embeddings import LocalEmbeddings
from transformers import BertConfig, BertModel, BertTokenizerFast

logging.basicConfig(level="INFO", format="[%(levelname)s] %(name)s - %(message)s")
log = logging.getLogger("store")
LETTERS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"]
LETTERS += [f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz"]


def local_model(path="bge-tiny"):
    Path(path).mkdir(exist_ok=True)
    Path(path, "vocab.txt").write_text("\n".join(LETTERS), encoding="utf-8")
    BertTokenizerFast(f"{path}/vocab.txt").save_pretrained(path)
    torch.manual_seed(0)
    sizes = dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64)
    BertModel(BertConfig(vocab_size=len(LETTERS), max_position_embeddings=64, **sizes)).save_pretrained(path)
    return path


class Store:
    def __init__(self, embedding):
        self.embedding, self.rows = embedding, []

    def add(self, texts):
        self.rows += list(zip(texts, self.embedding.embed_documents(texts), strict=True))
        log.info("%d documents", len(self.rows))

    def nearest(self, text):
        query = torch.tensor(self.embedding.embed_query(text))
        return min(self.rows, key=lambda row: torch.dist(query, torch.tensor(row[1])).item())[0]


if __name__ == "__main__":
    embedding = LocalEmbeddings(
        local_model(),
        device="cuda" if torch.cuda.is_available() else "cpu",
        encode_kwargs={"normalize_embeddings": True},
    )
    store = Store(embedding)
    store.add(["apples and pears", "a long walk", "rain again"])
    found = store.nearest("rain again")
    log.info("found %r", found)
    assert found == "rain again"
