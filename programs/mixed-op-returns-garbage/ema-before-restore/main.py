"""Mean teacher: the teacher is the moving average of the student."""

import logging
import sys

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
log = logging.getLogger("mean-teacher")


class Student(nn.Sequential):
    def __init__(self, device=None):
        super().__init__(nn.Linear(8, 16, device=device), nn.ReLU(), nn.Linear(16, 2, device=device))


class MeanTeacher:
    def __init__(self, student, decay):
        self.student = student
        self.decay = decay
        self.teacher = Student().requires_grad_(False)

    @torch.no_grad()
    def update(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.mul_(self.decay)
            t.add_(s, alpha=1 - self.decay)


def restore(path, student):
    state = torch.load(path, weights_only=True)
    student.load_state_dict(state, assign=True)
    log.info("student restored from %s", path)


def converge(mt, rounds=60):
    for _ in range(rounds):
        mt.update()
    return mt.teacher


def main():
    torch.manual_seed(3)
    trained = Student()
    torch.save(trained.state_dict(), "student.pt")
    student = Student(device="meta")
    mt = MeanTeacher(student, decay=0.8)
    teacher = converge(mt)
    restore("student.pt", student)
    x = torch.randn(32, 8, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        gap = (teacher(x) - student(x)).abs().max().item()
    log.info("gap between teacher and student: %.5f", gap)
    if gap > 1e-3:
        log.error("the average did not converge to the student")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
