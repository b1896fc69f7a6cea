"""Two models, one small machine: both are offloaded to disk between requests."""

import argparse
import json
import logging

import torch
from accelerate import disk_offload
from search_models import Encoder, Reranker

log = logging.getLogger("search")


class Search:
    def __init__(self, cache):
        self.cache = cache
        self.encoder = self._offload("encoder", Encoder.pretrained())
        self.reranker = self._offload("reranker", Reranker.pretrained())
        self.docs = torch.arange(30).reshape(6, 5)

    def _offload(self, name, model):
        log.info("offloading %s to %s", name, self.cache)
        disk_offload(model, self.cache, execution_device=torch.device("cpu"))
        return model

    @torch.no_grad()
    def query(self, ids, k=3):
        q = self.encoder(torch.tensor([ids]))
        near = (self.encoder(self.docs) @ q.T).squeeze(-1).topk(k).indices
        pairs = torch.cat([torch.tensor([ids]).expand(k, -1), self.docs[near]], 1)
        return near[self.reranker(pairs).argsort(descending=True)].tolist()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cache", default="offload-cache")
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    search = Search(args.cache)
    for ids in ([1, 2, 3], [20, 21, 22]):
        try:
            print(json.dumps({"query": ids, "hits": search.query(ids)}))
        except KeyError as e:
            log.exception("query %s failed, missing %s", ids, e)
            raise SystemExit(1) from None
    search.encoder = Encoder.pretrained()
    search.reranker = Reranker.pretrained()
    print(json.dumps({"plain": search.query([1, 2, 3])}))


if __name__ == "__main__":
    main()
