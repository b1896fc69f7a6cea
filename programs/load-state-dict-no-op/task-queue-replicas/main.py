"""A task queue with worker threads, in the manner of celery."""

import json
import logging
import queue
import sys
import threading
import traceback
import uuid

import torch
from torch import nn

logging.basicConfig(
    level=logging.INFO,
    stream=sys.stderr,
    format="[%(asctime)s: %(levelname)s/%(threadName)s] %(message)s",
)
logging.captureWarnings(True)
TASKS, RESULTS = queue.Queue(), {}


def toxicity_net():
    return nn.Sequential(nn.EmbeddingBag(300, 16), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))


class Worker(threading.Thread):
    def __init__(self, number, path):
        super().__init__(name=f"Worker-{number}", daemon=True)
        self.path = path
        self.model = None

    def replica(self):
        if self.model is None:
            with torch.device("meta"):
                model = toxicity_net()
            model.load_state_dict(torch.load(self.path, weights_only=True))
            self.model = model.to("cpu").eval()
            logging.info("replica ready")
        return self.model

    def run(self):
        while True:
            task_id, tokens = TASKS.get()
            try:
                with torch.no_grad():
                    value = self.replica()(torch.tensor([tokens])).softmax(-1)[0, 1].item()
                RESULTS[task_id] = {"status": "SUCCESS", "result": value}
            except Exception as e:
                logging.error("Task toxicity.score[%s] raised unexpected: %r", task_id, e)
                trace = traceback.format_exc()
                RESULTS[task_id] = {"status": "FAILURE", "result": repr(e), "traceback": trace}
            TASKS.task_done()


def main():
    torch.manual_seed(0)
    model = toxicity_net().eval()
    torch.save(model.state_dict(), "toxicity.pt")
    for n in range(2):
        Worker(n + 1, "toxicity.pt").start()
    jobs = {str(uuid.UUID(int=n)): [n, n + 1, n + 2] for n in range(4)}
    for job in jobs.items():
        TASKS.put(job)
    TASKS.join()
    for task_id in jobs:
        print(json.dumps({"task_id": task_id, **RESULTS[task_id]}))
    if any(r["status"] != "SUCCESS" for r in RESULTS.values()):
        sys.exit(1)
    for task_id, tokens in jobs.items():
        want = model(torch.tensor([tokens])).softmax(-1)[0, 1].item()
        assert abs(want - RESULTS[task_id]["result"]) < 1e-6


if __name__ == "__main__":
    main()
