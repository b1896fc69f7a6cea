"""POST /classify with raw float32 pixels; GET /health."""

import json
import logging
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import torch
from transformers import ViTConfig, ViTForImageClassification

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(levelname)s | %(message)s")
CONFIG = ViTConfig(
    hidden_size=24,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=32,
    image_size=16,
    patch_size=8,
    num_labels=4,
)
WEIGHTS = "vit.pt"


class ModelHolder:
    model = None
    device = "cpu"

    @classmethod
    def get(cls):
        if cls.model is None:
            logging.info("cold start, building the model")
            with torch.device("meta"):
                model = ViTForImageClassification(CONFIG)
            logging.info("built on %s, moving to %s", model.device, cls.device)
            state = torch.load(WEIGHTS, map_location=cls.device, weights_only=True)
            model.load_state_dict(state, assign=True)
            cls.model = model.eval()
        return cls.model


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):  # noqa: N802
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        pixels = torch.frombuffer(bytearray(raw), dtype=torch.float32).reshape(1, 3, 16, 16)
        try:
            with torch.no_grad():
                body = {"label": int(ModelHolder.get()(pixels).logits.argmax())}
            code = 200
        except Exception as e:
            logging.exception("request failed")
            body, code = {"error": f"{type(e).__name__}: {e}"}, 500
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, fmt, *args):
        logging.info("access %s", fmt % args)


def main():
    torch.manual_seed(0)
    torch.save(ViTForImageClassification(CONFIG).state_dict(), WEIGHTS)
    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/classify"
    data = torch.linspace(-1, 1, 768).numpy().tobytes()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=data), timeout=30) as reply:
            print(reply.status, reply.read().decode())
    finally:
        server.shutdown()


if __name__ == "__main__":
    main()
