"""embed_job.py: vectors for documents, written as one tensor file."""

import argparse
import concurrent.futures

import torch
from cache import downloaded
from loading import load_encoder


def embed(model, documents):
    with torch.no_grad():
        return model(documents).last_hidden_state.mean(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--encoder", default="library/bert-leaf")
    parser.add_argument("--out", default="vectors.pt")
    args = parser.parse_args()
    original = downloaded(args.encoder)
    documents = torch.randint(1, 25, (3, 8), generator=torch.Generator().manual_seed(0))
    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
        model = pool.submit(load_encoder, args.encoder).result()
    vectors = embed(model, documents)
    torch.save(vectors, args.out)
    print("wrote", tuple(vectors.shape), "to", args.out)
    torch.testing.assert_close(torch.load(args.out, weights_only=True), embed(original, documents))


if __name__ == "__main__":
    main()
