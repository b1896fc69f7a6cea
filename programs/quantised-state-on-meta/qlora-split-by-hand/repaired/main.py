"""qlora.py: trains a head over a base in 4 bits."""

import os

import torch
from torch import nn
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

BASE = "base-model"
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def base_model():
    if not os.path.isdir(BASE):
        config = LlamaConfig(
            vocab_size=32, hidden_size=64, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2
        )
        LlamaForCausalLM(config).save_pretrained(BASE)
    quantised = BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.float32
    )
    device_map = {"": DEVICE}
    return AutoModelForCausalLM.from_pretrained(BASE, quantization_config=quantised, device_map=device_map)


class Probe(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.head = nn.Linear(base.config.hidden_size, 2, device=DEVICE)

    def forward(self, ids):
        return self.head(self.base.model(ids).last_hidden_state[:, -1])


def main():
    torch.manual_seed(6)
    model = Probe(base_model())
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    ids = torch.randint(0, 32, (8, 5), device=DEVICE)
    labels = ids[:, 0] % 2
    losses = []
    for epoch in range(5):
        loss = nn.functional.cross_entropy(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"epoch {epoch} loss {losses[-1]:.3f}")
    assert losses[-1] < losses[0]


main()
