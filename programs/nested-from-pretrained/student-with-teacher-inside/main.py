"""Resume distillation from the last saved student."""

import dataclasses
import logging

import torch
from distil import Student, first_run

logging.basicConfig(level=logging.INFO, format="%(name)s %(levelname)s %(message)s")
log = logging.getLogger("distil")


@dataclasses.dataclass(frozen=True)
class Plan:
    folder: str = "student-last"
    teacher: str = "teacher"
    steps: int = 3
    lr: float = 5e-3


def batch(step):
    return torch.randint(0, 40, (4, 6), generator=torch.Generator().manual_seed(step))


def resume(plan):
    student = Student.from_pretrained(plan.folder)
    student.teacher.eval().requires_grad_(False)
    params = [p for p in student.parameters() if p.requires_grad]
    log.info("resuming with %d trainable tensors", len(params))
    opt = torch.optim.AdamW(params, lr=plan.lr)
    losses = []
    for step in range(plan.steps):
        loss = student.distil_loss(batch(step % 2))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return student, losses


def main():
    plan = Plan()
    saved_loss = first_run(plan.folder, plan.teacher, batch(0))
    student, losses = resume(plan)
    log.info("saved at %.5f, resumed at %.5f, now %.5f", saved_loss, losses[0], losses[-1])
    assert abs(losses[0] - saved_loss) < 1e-4
    student.save_pretrained(plan.folder)


if __name__ == "__main__":
    main()
