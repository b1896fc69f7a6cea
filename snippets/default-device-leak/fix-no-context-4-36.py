"""Load a checkpoint inside the meta context that was meant to keep its construction cheap."""

import torch
from transformers import AutoModel, BertConfig, BertModel

torch.manual_seed(0)
config = BertConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, vocab_size=128
)
reference = BertModel(config).eval()
reference.save_pretrained("model")
ids = torch.tensor([[1, 2, 3, 4]])
path = "model"
device = "cuda" if torch.cuda.is_available() else "cpu"

# code
model = AutoModel.from_pretrained(path)
model.to(device)

# goal
with torch.no_grad():
    output = model.eval()(ids.to(device)).last_hidden_state
    assert torch.allclose(output.cpu(), reference(ids).last_hidden_state, atol=1e-4)
