import argparse
import time

import torch
from torch import nn
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel


class PatchEncoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 8, stride=8)
        self.norm = nn.LayerNorm(width)

    def forward(self, images):
        return self.norm(self.patches(images).flatten(2).transpose(1, 2))


class Captioner(nn.Module):
    def __init__(self, language):
        super().__init__()
        self.vision = PatchEncoder(16)
        self.project = nn.Linear(16, language.config.n_embd)
        self.language = language

    def forward(self, images, ids):
        tokens = self.language.get_input_embeddings()(ids)
        inputs = torch.cat([self.project(self.vision(images)), tokens], 1)
        return self.language(inputs_embeds=inputs).logits


def language_model(folder, spill):
    torch.manual_seed(2)
    ids = {"bos_token_id": 0, "eos_token_id": 0}
    GPT2LMHeadModel(
        GPT2Config(vocab_size=60, n_positions=32, n_embd=32, n_layer=4, n_head=4, **ids)
    ).save_pretrained(folder)
    parts = ["transformer.wte", "transformer.wpe", "transformer.ln_f", "lm_head", "transformer.drop"]
    device_map = {part: "cpu" for part in parts}
    device_map.update({f"transformer.h.{n}": "disk" if n >= 4 - spill else "cpu" for n in range(4)})
    return AutoModelForCausalLM.from_pretrained(
        folder, device_map=device_map, offload_folder=f"{folder}-offload"
    )


def build(folder, spill, device):
    model = Captioner(language_model(folder, spill))
    return model.to(device).eval()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--spill", type=int, default=2)
    p.add_argument("--device", default="cpu")
    args = p.parse_args()
    began = time.perf_counter()
    captioner = build("gpt2-small", args.spill, args.device)
    images = torch.rand(1, 3, 16, 16, device=args.device)
    ids = torch.tensor([[0, 5, 9]], device=args.device)
    with torch.no_grad():
        logits = captioner(images, ids)
    assert logits.shape == (1, 7, 60) and logits.isfinite().all()
    print(f"captioned in {time.perf_counter() - began:.1f} s")
