"""A scoring server whose model is reloaded in the background, plus a client that asks for reloads."""

import http.server
import json
import logging
import sys
import threading
import urllib.request

import torch
from transformers import AutoModelForMaskedLM, BertConfig, BertForMaskedLM

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(threadName)s %(levelname)s %(message)s")
log = logging.getLogger("scoring")
STATE = {"model": None, "failures": 0, "loads": 0}
LOADING = threading.Lock()


def reload():
    try:
        with LOADING:
            model = AutoModelForMaskedLM.from_pretrained("bert-live")
        STATE["model"] = model.to("cpu").eval()
        STATE["loads"] += 1
    except Exception:
        STATE["failures"] += 1
        log.exception("reload failed")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        threads = [threading.Thread(target=reload, name=f"reload-{i}") for i in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        body = json.dumps({k: v for k, v in STATE.items() if k != "model"}).encode()
        self.send_response(500 if STATE["failures"] else 200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def main():
    torch.manual_seed(98)
    config = BertConfig(
        vocab_size=200, hidden_size=48, num_hidden_layers=6, num_attention_heads=4, intermediate_size=96
    )
    BertForMaskedLM(config).save_pretrained("bert-live")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, name="server", daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/reload"
    for attempt in range(6):
        try:
            with urllib.request.urlopen(url, timeout=60) as reply:
                log.info("reload %d: %s", attempt, reply.read().decode())
        except urllib.error.HTTPError as e:
            log.error("reload %d: HTTP %d %s", attempt, e.code, e.read().decode())
            break
    server.shutdown()
    return int(STATE["failures"] > 0)


if __name__ == "__main__":
    sys.exit(main())
