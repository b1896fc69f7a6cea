"""Zero-downtime reload: requests keep coming while the model is exchanged."""

import json
import logging
import threading

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s.%(msecs)03d %(threadName)-8s %(message)s")
log = logging.getLogger("srv")


def make(version):
    torch.manual_seed(version)
    return nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 2)).eval()


class Service:
    def __init__(self):
        self.model = make(1)
        self.version = 1
        self.draining = threading.Event()
        self.resume = threading.Event()

    def reload(self, version):
        self.draining.set()
        self.resume.wait(10)  # the new file is fetched
        old, self.model = self.model, make(version)
        log.info("reload: releasing version %d", self.version)
        old.to("meta")
        self.version = version
        log.info("reload: version %d in place", version)

    def handle(self, payload):
        try:
            with torch.no_grad():
                out = self.model(torch.tensor([payload])).softmax(-1)
            return 200, [round(v, 4) for v in out[0].tolist()]
        except Exception as e:
            log.exception("request failed")
            return 500, f"{type(e).__name__}: {e}"


def main():
    service = Service()
    payload = [0.1, 0.2, 0.3, 0.4, 0.5]
    replies = [service.handle(payload)]
    reloader = threading.Thread(target=service.reload, args=(2,), name="reloader")
    reloader.start()
    service.draining.wait(10)
    replies.append(service.handle(payload))
    service.resume.set()
    reloader.join()
    replies.append(service.handle(payload))
    for status, body in replies:
        print(json.dumps({"status": status, "body": body}))
    assert all(status == 200 for status, _ in replies), "a request failed during the reload"
    assert replies[0][1] != replies[2][1]


if __name__ == "__main__":
    main()
