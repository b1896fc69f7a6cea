"""Chat with markers."""

import argparse
import logging

import torch
from transformers import LlamaConfig, LlamaForCausalLM

log = logging.getLogger("chat")


class Vocabulary:
    def __init__(self, size):
        self.size = size
        self.markers = {}

    def add(self, name):
        self.markers[name] = self.size + len(self.markers)
        return self.markers[name]

    def __len__(self):
        return self.size + len(self.markers)


def model_for(vocab_size, seed):
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=vocab_size,
        hidden_size=16,
        intermediate_size=24,
        num_hidden_layers=1,
        num_attention_heads=2,
    )
    return LlamaForCausalLM(config).eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    vocab = Vocabulary(50)
    model = model_for(vocab.size, args.seed)
    user, bot = vocab.add("<user>"), vocab.add("<bot>")
    log.info("%d tokens, embedding has %d rows", len(vocab), model.get_input_embeddings().num_embeddings)
    ids = torch.tensor([[user, 4, 5, 6, bot]]).to(model.device)
    with torch.no_grad():
        print(model(ids).logits[0, -1].argmax().item())


if __name__ == "__main__":
    main()
