"""Render queue: pick a job, claim the device, render, give the device back."""

import logging
import queue
from dataclasses import dataclass

import factory
import torch

log = logging.getLogger("queue")


@dataclass
class Job:
    number: int
    steps: int = 2
    low_memory: bool = True


class Renderer:
    def __init__(self):
        self.pipe = factory.build()

    def claim(self, job):
        if job.low_memory:
            self.pipe.enable_sequential_cpu_offload(device="cpu")
            log.info("job %d: sequential offload on", job.number)

    def release(self, job):
        log.info("job %d: back to cpu", job.number)
        self.pipe.remove_all_hooks()
        self.pipe.to("cpu")

    def render(self, job):
        generator = torch.Generator().manual_seed(job.number)
        return self.pipe(num_inference_steps=job.steps, generator=generator, output_type="np").images[0]


def work(jobs):
    renderer = Renderer()
    done = []
    while not jobs.empty():
        job = jobs.get()
        renderer.claim(job)
        # previews are cheap and run on the plain CPU pipeline
        renderer.release(job)
        image = renderer.render(job)
        log.info("job %d: mean %.4f", job.number, image.mean())
        done.append(job.number)
        jobs.task_done()
    return done


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    jobs = queue.Queue()
    for n in (1, 2):
        jobs.put(Job(n))
    assert work(jobs) == [1, 2]
