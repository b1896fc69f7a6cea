"""Logit lens: what would every layer predict?"""

import argparse

import torch
from accelerate import cpu_offload
from transformers import GPT2Config, GPT2LMHeadModel


def load(args):
    torch.manual_seed(args.seed)
    config = GPT2Config(n_layer=args.layers, n_embd=32, n_head=2, vocab_size=80, n_positions=32)
    config.tie_word_embeddings = False
    model = GPT2LMHeadModel(config).eval()
    if args.offload:
        cpu_offload(model, execution_device=torch.device("cpu"))
    return model


def unembedding(model):
    return model.get_output_embeddings().weight.detach().cpu().float()


@torch.no_grad()
def lens(model, ids):
    hidden = model(ids, output_hidden_states=True).hidden_states
    matrix = unembedding(model)
    return [(h[0, -1] @ matrix.T).softmax(-1) for h in hidden]


def table(dists):
    print(f"{'layer':>5}  {'token':>5}  {'p':>6}")
    for n, d in enumerate(dists):
        p, t = d.max(0)
        print(f"{n:>5}  {t.item():>5}  {p.item():>6.4f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--layers", type=int, default=3)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--no-offload", dest="offload", action="store_false")
    args = ap.parse_args()
    ids = torch.tensor([[2, 7, 1, 8]])
    model = load(args)
    dists = lens(model, ids)
    table(dists)
    with torch.no_grad():
        final = model(ids).logits[0, -1].softmax(-1)
    assert torch.allclose(dists[-1], final, atol=1e-5)


if __name__ == "__main__":
    main()
