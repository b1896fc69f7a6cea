"""Perplexity of a checkpoint over a token file; settings in job.json."""

import sys
import traceback

import settings
import torch
from transformers import AutoModelForCausalLM, OPTConfig, OPTForCausalLM
from transformers.integrations import HfDeepSpeedConfig


def make_checkpoint(path):
    torch.manual_seed(4)
    OPTForCausalLM(
        OPTConfig(
            vocab_size=64,
            hidden_size=32,
            ffn_dim=48,
            num_hidden_layers=2,
            num_attention_heads=4,
            max_position_embeddings=64,
            word_embed_proj_dim=32,
        )
    ).save_pretrained(path)


class Job:
    def __init__(self, file):
        self.settings = settings.read(file)
        self.deepspeed = HfDeepSpeedConfig(self.settings["deepspeed"])

    def run(self):
        model = AutoModelForCausalLM.from_pretrained(self.settings["checkpoint"], **self.settings["model"])
        tokens = torch.arange(3, 43)[None]
        with torch.no_grad():
            return model(input_ids=tokens, labels=tokens).loss.exp().item()


def main():
    file = settings.write()
    make_checkpoint(settings.read(file)["checkpoint"])
    try:
        perplexity = Job(file).run()
    except Exception:
        print("job failed\n" + traceback.format_exc(), file=sys.stderr)
        return 2
    print(f"perplexity {perplexity:.1f}")
    return 0 if 1 < perplexity < 200 else 1


if __name__ == "__main__":
    sys.exit(main())
