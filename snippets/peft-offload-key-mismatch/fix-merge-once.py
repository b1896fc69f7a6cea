"""Use the body of a language model, offloaded to disk, with a LoRA adapter trained for that body."""

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM, LlamaModel

# code
torch.manual_seed(0)
sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
LlamaForCausalLM(
    LlamaConfig(num_key_value_heads=2, vocab_size=128, tie_word_embeddings=True, **sizes)
).save_pretrained("base")
lora = LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False)
tuned = get_peft_model(LlamaModel.from_pretrained("base"), lora)
tuned.save_pretrained("adapter")
ids = torch.arange(8)[None]
expected = tuned(ids).last_hidden_state.detach()

device_map = {"embed_tokens": "cpu", "layers.0": "cpu", "layers.1": "disk"}
device_map |= {"norm": "cpu", "rotary_emb": "cpu"}
merged = PeftModel.from_pretrained(LlamaModel.from_pretrained("base"), "adapter").merge_and_unload()
merged.save_pretrained("merged")
model = LlamaModel.from_pretrained("merged", device_map=device_map)

# goal
assert torch.allclose(model(ids).last_hidden_state, expected, atol=1e-5)
