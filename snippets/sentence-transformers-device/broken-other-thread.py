"""Load a sentence encoder in a server while another thread sizes up a language model."""

import threading
from pathlib import Path

import torch
from accelerate import init_empty_weights
from sentence_transformers import SentenceTransformer
from transformers import BertConfig, BertModel, BertTokenizerFast

Path("vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "world"]))
BertTokenizerFast("vocab.txt").save_pretrained("encoder")
config = BertConfig(
    vocab_size=16, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4
)
BertModel(config).save_pretrained("encoder")
expected = SentenceTransformer("encoder", device="cpu").encode("hello world", convert_to_tensor=True)
device = "cuda" if torch.cuda.is_available() else "cpu"
inside, loaded = threading.Event(), threading.Event()

# code


def size_up():
    with init_empty_weights():
        inside.set()
        BertModel(config)
        loaded.wait(timeout=3)


thread = threading.Thread(target=size_up)
thread.start()
inside.wait()
model = SentenceTransformer("encoder", device=device)
loaded.set()
thread.join()

# goal
embedding = model.encode("hello world", convert_to_tensor=True).cpu()
assert torch.allclose(embedding, expected, atol=1e-4)
