"""Load a checkpoint under the meta device, then move the model to its device."""

import torch
from transformers import AutoModel, BertConfig, BertModel

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
config = BertConfig(
    hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, vocab_size=128
)
reference = BertModel(config).eval()
reference.save_pretrained("model")

# code
with torch.device("meta"):
    model = AutoModel.from_pretrained("model")
model.to(device)

# goal
ids = torch.tensor([[1, 2, 3, 4]])
with torch.no_grad():
    output = model.eval()(ids.to(device)).last_hidden_state
    assert torch.allclose(output.cpu(), reference(ids).last_hidden_state, atol=1e-4)
