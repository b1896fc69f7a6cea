"""complete.py: completes what stands on the command line."""

import os
import sys
from contextlib import nullcontext

import deepspeed
import torch
from transformers import OPTConfig, OPTForCausalLM

FOLDER = "opt-nibble"


def pull():
    torch.manual_seed(17)
    config = OPTConfig(
        vocab_size=28,
        hidden_size=16,
        word_embed_proj_dim=16,
        ffn_dim=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=24,
    )
    model = OPTForCausalLM(config).eval()
    model.save_pretrained(FOLDER)
    return model


class Completer:
    def __init__(self, folder, low_memory=True):
        where = deepspeed.OnDevice(dtype=torch.float32, device="meta") if low_memory else nullcontext()
        with where:
            model = OPTForCausalLM(OPTConfig.from_pretrained(folder))
        model.eval()
        self.model = deepspeed.init_inference(
            model, config={"dtype": "fp32", "checkpoint": os.path.abspath(folder)}
        )

    @torch.no_grad()
    def __call__(self, ids, count):
        for _ in range(count):
            logits = self.model(torch.tensor([ids])).logits
            ids = [*ids, int(logits[0, -1].argmax())]
        return ids


def main():
    original = pull()
    words = [int(word) for word in sys.argv[1:]] or [2, 11, 12]
    completed = Completer(FOLDER)(words, 4)
    print(*completed)
    with torch.no_grad():
        for end in range(len(words), len(completed)):
            best = original(torch.tensor([completed[:end]])).logits[0, -1].argmax()
            assert int(best) == completed[end], f"word {end} is not the model's"


if __name__ == "__main__":
    main()
