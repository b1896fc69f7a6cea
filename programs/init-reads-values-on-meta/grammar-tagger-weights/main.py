"""Correction service; the model is loaded on the first request and the failure is remembered."""

import functools
import json
import traceback

import torch
from tagger import ErrorTagger, ErrorTaggerConfig


class ServiceUnavailable(RuntimeError):
    pass


@functools.lru_cache(maxsize=1)
def model(path="tagger"):
    try:
        return ErrorTagger.from_pretrained(path).eval()
    except Exception as cause:
        raise ServiceUnavailable(f"model {path!r} is not available") from cause


def correct(request):
    ids = torch.tensor([json.loads(request)["ids"]])
    with torch.no_grad():
        tags = model()(ids).argmax(-1)[0].tolist()
    return json.dumps({"tags": tags})


def main():
    torch.manual_seed(93)
    config = ErrorTaggerConfig(
        vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    trained = ErrorTagger(config).eval()
    trained.save_pretrained("tagger")
    try:
        reply = correct('{"ids": [2, 7, 9, 3]}')
    except ServiceUnavailable:
        traceback.print_exc()
        print(json.dumps({"status": 503}))
        return 1
    print(reply)
    expected = trained(torch.tensor([[2, 7, 9, 3]])).argmax(-1)[0].tolist()
    return 0 if json.loads(reply)["tags"] == expected else 1


if __name__ == "__main__":
    raise SystemExit(main())
