"""Save an offloaded CLIP, whose outermost module has a parameter of its own, and load it again."""

import torch
from transformers import CLIPConfig, CLIPModel

sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
text = {
    "vocab_size": 64,
    "max_position_embeddings": 16,
    "bos_token_id": 1,
    "eos_token_id": 3,
    "pad_token_id": 0,
}
vision = {"image_size": 8, "patch_size": 4}
config = CLIPConfig(text_config=sizes | text, vision_config=sizes | vision, projection_dim=16)
reference = CLIPModel(config).eval()
torch.nn.init.constant_(reference.logit_scale, 3.0)
reference.save_pretrained("model")
inputs = {"input_ids": torch.tensor([[1, 5, 3]]), "pixel_values": torch.randn(1, 3, 8, 8)}
expected = reference(**inputs).logits_per_image
device_map = {
    "text_model": "cpu",
    "vision_model": "disk",
    "visual_projection": "cpu",
    "text_projection": "cpu",
}
model = CLIPModel.from_pretrained("model", device_map=device_map | {"logit_scale": "cpu"})
model.save_pretrained("saved")

again = CLIPModel.from_pretrained("saved")
assert again.logit_scale == 3
assert torch.allclose(again(**inputs).logits_per_image, expected, atol=1e-4)
