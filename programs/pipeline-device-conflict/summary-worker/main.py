"""A worker that takes jobs from a queue and continues their token lists."""

import logging
import queue
import threading

import torch
from registry import registry
from transformers import pipeline

logging.basicConfig(level=logging.INFO, format="%(threadName)s %(levelname)s %(message)s")
log = logging.getLogger(__name__)


class Worker(threading.Thread):
    def __init__(self, jobs, device):
        super().__init__(name="worker-0")
        self.jobs, self.device, self.done, self.failed = jobs, device, [], None

    def run(self):
        try:
            model, tokenizer = registry.get("summary")
            generate = pipeline("text-generation", model=model, tokenizer=tokenizer, device=self.device)
            while (job := self.jobs.get()) is not None:
                text = generate(job, max_new_tokens=3, do_sample=False)[0]["generated_text"]
                log.info("%r -> %r", job, text)
                self.done.append(text)
        except Exception as error:
            log.exception("worker stops")
            self.failed = error


def main():
    jobs = queue.Queue()
    for job in ("red blue", "blue", None):
        jobs.put(job)
    worker = Worker(jobs, 0 if torch.cuda.is_available() else "cpu")
    worker.start()
    worker.join()
    if worker.failed is not None or len(worker.done) != 2:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
