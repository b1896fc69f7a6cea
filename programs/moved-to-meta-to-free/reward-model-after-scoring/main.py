"""Best-of-n sampling in rounds with a reward model that should not stay in memory."""

import argparse
import logging

import torch
from transformers import BertConfig, BertForSequenceClassification, GPT2Config, GPT2LMHeadModel

log = logging.getLogger("bon")


def reward_model():
    torch.manual_seed(40)
    config = BertConfig(
        vocab_size=60,
        hidden_size=24,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
        num_labels=1,
    )
    return BertForSequenceClassification(config).eval()


class Scorer:
    def __init__(self, factory):
        self.factory = factory
        self.model = None

    def __enter__(self):
        if self.model is None:
            self.model = self.factory()
        return self

    def __exit__(self, *exc):
        self.model.to("meta")

    @torch.no_grad()
    def __call__(self, ids):
        return self.model(input_ids=ids).logits.squeeze(-1).cpu()


@torch.no_grad()
def sample(policy, prompt, n, seed):
    torch.manual_seed(seed)
    return policy.generate(
        prompt.repeat(n, 1), do_sample=True, max_new_tokens=5, min_new_tokens=5, pad_token_id=0
    )


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=2)
    ap.add_argument("-n", type=int, default=4)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="[%(name)s] %(message)s")
    torch.manual_seed(4)
    config = GPT2Config(n_layer=1, n_embd=24, n_head=2, vocab_size=60, n_positions=24, eos_token_id=1)
    policy = GPT2LMHeadModel(config).eval()
    scorer = Scorer(reward_model)
    prompt = torch.tensor([[7, 8]])
    for n in range(args.rounds):
        candidates = sample(policy, prompt, args.n, seed=n)
        with scorer:
            scores = scorer(candidates)
        best = candidates[scores.argmax()]
        log.info("round %d: best score %.4f", n, scores.max())
        prompt = best[None, -3:]
    assert prompt.shape == (1, 3)


if __name__ == "__main__":
    main()
