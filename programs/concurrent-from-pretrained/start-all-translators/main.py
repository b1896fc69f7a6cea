"""Translation gateway: all language pairs are loaded at start-up, in parallel to save time."""

import json
import sys
import time
import traceback

import torch
from translators import PAIRS, Translator, write_all


def event(kind, **fields):
    print(json.dumps({"ts": round(time.time(), 3), "event": kind, **fields}), flush=True)


def start():
    threads = [Translator(pair) for pair in PAIRS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return threads


def main():
    write_all(torch)
    for attempt in range(4):
        begin = time.time()
        threads = start()
        failed = [t for t in threads if t.error]
        for t in failed:
            text = "".join(traceback.format_exception(t.error))
            event("load_failed", pair=t.pair, attempt=attempt, error=str(t.error), stack=text)
        if failed:
            event("gateway_down", failed=[t.pair for t in failed])
            return 1
        event("loaded", attempt=attempt, seconds=round(time.time() - begin, 2))
    source = torch.tensor([[5, 9, 11, 1]])
    for t in threads:
        with torch.no_grad():
            out = t.model.generate(source, max_new_tokens=4)
        event("translated", pair=t.pair, tokens=out[0].tolist())
    return 0


if __name__ == "__main__":
    sys.exit(main())
