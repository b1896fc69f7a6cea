"""Completion service around a small mixture of experts."""

import argparse
import json
import logging
import sys

import torch
from engine import Engine
from stage import write_release

log = logging.getLogger("completions")


def handle(engine, line):
    request = json.loads(line)
    ids = torch.tensor([request["tokens"]])
    return {"id": request["id"], "next": engine.next_token(ids)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--release", default="release")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    expected = write_release(options.release)
    try:
        engine = Engine(options.release, options.device)
    except Exception:
        log.exception("engine did not start, giving up")
        sys.exit(3)
    requests = ['{"id": 1, "tokens": [4, 8, 15, 16]}', '{"id": 2, "tokens": [23, 42]}']
    answers = [handle(engine, line) for line in requests]
    print(json.dumps(answers))
    assert answers[0]["next"] == expected


if __name__ == "__main__":
    main()
