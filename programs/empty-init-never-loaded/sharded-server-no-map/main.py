"""Ranking endpoint. POST /rank {"items": [[...], ...]} -> order of the items."""

import io
import json
import logging
import traceback

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from store import Ranker, publish

log = logging.getLogger("rank.api")
_models: dict[str, torch.nn.Module] = {}


def get_model(name):
    if name not in _models:
        path = publish(name, seed=2024)
        with init_empty_weights():
            skeleton = Ranker()
        _models[name] = load_checkpoint_and_dispatch(skeleton, str(path))
        log.info("loaded %s", name)
    return _models[name]


def rank(environ, start_response):
    """A WSGI application."""
    try:
        body = json.loads(environ["wsgi.input"].read())
        with torch.no_grad():
            scores = get_model(body.get("model", "default"))(torch.tensor(body["items"]))
        payload, status = {"order": scores.argsort(descending=True).tolist()}, "200 OK"
    except Exception as e:
        log.error("request failed\n%s", traceback.format_exc())
        payload, status = {"error": f"{type(e).__name__}: {e}"}, "500 Internal Server Error"
    start_response(status, [("Content-Type", "application/json")])
    return [json.dumps(payload).encode()]


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    torch.manual_seed(1)
    items = torch.randn(3, 12).tolist()
    request = {"wsgi.input": io.BytesIO(json.dumps({"items": items}).encode())}
    seen = []
    (answer,) = rank(request, lambda status, _headers: seen.append(status))
    print(seen[0], answer.decode())
    raise SystemExit(0 if seen[0].startswith("200") else 1)
