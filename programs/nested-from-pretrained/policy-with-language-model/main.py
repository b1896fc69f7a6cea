"""Control loop with a language-conditioned policy; the policy is opened in the background."""

import logging
import sys
from concurrent.futures import ThreadPoolExecutor

import torch
from policy import Policy, train_and_save

FORMAT = "%(relativeCreated)6d %(threadName)s %(message)s"
logging.basicConfig(level=logging.INFO, stream=sys.stderr, format=FORMAT)
log = logging.getLogger("control")


class PolicyUnavailable(RuntimeError):
    pass


class Controller:
    def __init__(self, folder):
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="opener")
        self.pending = self.pool.submit(self._open, folder)
        self.policy = None

    @staticmethod
    def _open(folder):
        log.info("opening %s", folder)
        return Policy.from_pretrained(folder).eval()

    def ready(self):
        if self.policy is None:
            try:
                self.policy = self.pending.result(timeout=60)
            except Exception as e:
                self.pool.shutdown()
                raise PolicyUnavailable("the robot stays in safe mode") from e
        return self.policy

    @torch.no_grad()
    def act(self, instruction, state):
        return self.ready()(torch.tensor([instruction]), torch.tensor([state]))[0]


def main():
    reference = train_and_save("policy")
    controller = Controller("policy")
    instruction, state = [4, 9, 2], [0.1, -0.3, 0.5]
    action = controller.act(instruction, state)
    with torch.no_grad():
        want = reference(torch.tensor([instruction]), torch.tensor([state]))[0]
    assert torch.allclose(action, want, atol=1e-5)
    log.info("action %s", [round(a, 3) for a in action.tolist()])


if __name__ == "__main__":
    main()
