"""Personas are LoRA adapters; the base model is shared and mostly on disk."""

import json
import logging
import sys

import torch
from accelerate import dispatch_model
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM

log = logging.getLogger("personas")
MAP = {
    "model.embed_tokens": "cpu",
    "model.layers.0": "disk",
    "model.layers.1": "disk",
    "model.norm": "cpu",
    "model.rotary_emb": "cpu",
    "lm_head": "cpu",
}
PROMPT = torch.tensor([[3, 20, 7]])


def train_persona(folder):
    torch.manual_seed(59)
    config = Qwen2Config(
        vocab_size=50,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        tie_word_embeddings=False,
    )
    base = Qwen2ForCausalLM(config)
    base.save_pretrained(f"{folder}/base")
    lora = LoraConfig(r=4, target_modules=["q_proj", "o_proj"], init_lora_weights=False)
    tuned = get_peft_model(base, lora).eval()
    tuned.save_pretrained(f"{folder}/pirate")
    with torch.no_grad():
        return tuned(PROMPT).logits[0, -1]


class Personas:
    def __init__(self, folder):
        self.folder = folder
        self.model = AutoModelForCausalLM.from_pretrained(f"{folder}/base")

    def wear(self, name):
        self.model.load_adapter(f"{self.folder}/{name}", adapter_name=name)
        self.model = dispatch_model(self.model, MAP, main_device="cpu", offload_dir=f"{self.folder}/off")
        log.info("wearing %s", name)

    @torch.no_grad()
    def logits(self, ids):
        return self.model.eval()(ids).logits[0, -1]


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stdout)
    golden = train_persona("personas")
    personas = Personas("personas")
    personas.wear("pirate")
    difference = (personas.logits(PROMPT) - golden).abs().max().item()
    print(json.dumps({"persona": "pirate", "max_difference": difference}))
    if not difference < 1e-3:
        raise FloatingPointError("persona 'pirate' does not answer like the evaluation run")
