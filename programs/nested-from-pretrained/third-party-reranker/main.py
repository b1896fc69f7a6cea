"""Search with a vendor reranker."""

import argparse
import logging
import sys

import torch
from safetensors.torch import load_file
from vendor_rerank import RerankConfig, VendorReranker, install_demo

logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("search")


def open_reranker(folder):
    config = RerankConfig.from_pretrained(folder)
    log.info("opening %s (encoder %s)", folder, config.encoder)
    return VendorReranker.from_pretrained(folder).eval()


def stored_tensors(folder):
    return len(load_file(f"{folder}/model.safetensors"))


def rerank(model, query, docs):
    rows = torch.tensor([query + d for d in docs])
    with torch.no_grad():
        return model(rows).argsort(descending=True).tolist()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--reranker", default="vendor-reranker")
    args = ap.parse_args()
    demo = install_demo(args.reranker)
    log.info("%d tensors in the file", stored_tensors(args.reranker))
    model = open_reranker(args.reranker)
    query, docs = [3, 4], [[5, 6], [7, 8], [9, 10]]
    order = rerank(model, query, docs)
    print(order)
    assert order == rerank(demo, query, docs)


if __name__ == "__main__":
    main()
