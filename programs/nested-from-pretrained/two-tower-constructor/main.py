"""Index a few passages with a saved two-tower model and query them."""

import argparse
import sys

import torch
from towers import TwoTower, prepare


def encode_all(model, rows):
    with torch.inference_mode():
        return torch.cat([model.passage(torch.tensor([r])) for r in rows])


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--model", default="retriever")
    ap.add_argument("--text-tower", default="text-tower")
    ap.add_argument("--top", type=int, default=1)
    args = ap.parse_args()
    prepare(args.text_tower, args.model)
    print(f"loading {args.model} ...", file=sys.stderr)
    model = TwoTower.from_pretrained(args.model).eval()
    passages = [[4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
    index = encode_all(model, passages)
    with torch.inference_mode():
        query = model.query(torch.tensor([[8, 9, 10, 11]]))
    scores = (query @ index.T).squeeze(0)
    best = scores.topk(args.top).indices.tolist()
    print("scores", [round(s, 3) for s in scores.tolist()], "best", best)
    saved = torch.load("expected.pt", weights_only=True)
    assert torch.allclose(index, saved, atol=1e-5)


if __name__ == "__main__":
    main()
