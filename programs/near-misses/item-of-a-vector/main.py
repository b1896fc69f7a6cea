"""Distillation loop: a teacher on the CPU, a student next to it."""

import logging

import torch
from torch import nn

log = logging.getLogger("distill")


class Distiller:
    def __init__(self, teacher, student, temperature=2.0):
        self.teacher, self.student, self.t = teacher.eval(), student, temperature
        self.optimizer = torch.optim.Adam(student.parameters(), lr=1e-2)

    def loss(self, x):
        with torch.no_grad():
            target = (self.teacher(x) / self.t).softmax(-1)
        prediction = (self.student(x) / self.t).log_softmax(-1)
        return nn.functional.kl_div(prediction, target, reduction="none").sum(-1)

    def step(self, x):
        loss = self.loss(x)
        self.optimizer.zero_grad()
        loss.mean().backward()
        self.optimizer.step()
        return loss


def main():
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(0)
    teacher = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 5))
    distiller = Distiller(teacher, nn.Linear(6, 5))
    for step in range(5):
        loss = distiller.step(torch.randn(16, 6))
        log.info("step %d: loss %.4f", step, loss.item())


if __name__ == "__main__":
    main()
