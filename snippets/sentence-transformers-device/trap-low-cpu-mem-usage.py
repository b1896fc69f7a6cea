"""Load a sentence encoder while an empty-weights context is open."""

from pathlib import Path

import torch
from accelerate import init_empty_weights
from sentence_transformers import SentenceTransformer
from transformers import BertConfig, BertModel, BertTokenizerFast

torch.manual_seed(0)
Path("vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "world"]))
BertTokenizerFast("vocab.txt").save_pretrained("encoder")
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
BertModel(BertConfig(vocab_size=16, **sizes)).save_pretrained("encoder")
expected = SentenceTransformer("encoder", device="cpu").encode("hello world", convert_to_tensor=True)
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
with init_empty_weights():
    kwargs = {"low_cpu_mem_usage": False}
    model = SentenceTransformer("encoder", device=device, model_kwargs=kwargs)

# goal
embedding = model.encode("hello world", convert_to_tensor=True).cpu()
assert torch.allclose(embedding, expected, atol=1e-4)
