"""Load a sentence encoder with a device_map that puts a layer on disk, then move it."""

from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from transformers import BertConfig, BertModel, BertTokenizerFast

# code
torch.manual_seed(0)
Path("vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "world"]))
BertTokenizerFast("vocab.txt").save_pretrained("encoder")
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
BertModel(BertConfig(vocab_size=16, **sizes)).save_pretrained("encoder")
expected = SentenceTransformer("encoder", device="cpu").encode("hello world", convert_to_tensor=True)
device = "cuda" if torch.cuda.is_available() else "cpu"

device_map = {"embeddings": "cpu", "encoder.layer.0": "cpu", "encoder.layer.1": "disk", "pooler": "cpu"}
kwargs = {"device_map": device_map, "offload_folder": "offload"}
model = SentenceTransformer("encoder", model_kwargs=kwargs)

# goal
embedding = model.encode("hello world", convert_to_tensor=True).cpu()
assert torch.allclose(embedding, expected, atol=1e-4)
