"""assistant: answers from a tied model with a hand-written placement."""

import sys

import torch
from transformers import AutoModelForCausalLM, GemmaConfig, GemmaForCausalLM

LAYERS = 2


def model_files(path):
    torch.manual_seed(23)
    config = GemmaConfig(
        vocab_size=90,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=LAYERS,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        max_position_embeddings=64,
    )
    model = GemmaForCausalLM(config).eval()
    model.save_pretrained(path)
    return model


def placement(fast="cpu", slow="disk"):
    """Head and embedding are one tensor and stay; the layers go to the slow place."""
    where = {"model.embed_tokens": fast, "model.rotary_emb": fast, "model.norm": fast}
    for n in range(LAYERS):
        where[f"model.layers.{n}"] = slow
    where["lm_head"] = fast
    return where


class Assistant:
    def __init__(self, path):
        self.model = AutoModelForCausalLM.from_pretrained(path, device_map=placement(), offload_folder="slow")
        self.model.eval()

    @torch.no_grad()
    def complete(self, ids, count):
        for _ in range(count):
            logits = self.model(torch.tensor([ids])).logits
            ids = [*ids, logits[0, -1].argmax().item()]
        return ids


if __name__ == "__main__":
    reference = model_files("gemma-local")
    answer = Assistant("gemma-local").complete([2, 7, 19], 3)
    print("answer:", *answer)
    with torch.no_grad():
        last = reference(torch.tensor([answer[:-1]])).logits[0, -1].argmax().item()
    sys.exit(answer[-1] != last)
