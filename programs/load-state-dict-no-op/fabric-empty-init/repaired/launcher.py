import contextlib
import logging

import torch

log = logging.getLogger("launcher")


class Launcher:
    def __init__(self, accelerator, empty_init=False):
        self.device = torch.device(accelerator)
        self.empty_init = empty_init

    @contextlib.contextmanager
    def init_module(self):
        with torch.device("meta" if self.empty_init else self.device):
            yield

    def load(self, module, path):
        state = torch.load(path, map_location=self.device, weights_only=True)
        result = module.load_state_dict(state["net"], assign=self.empty_init)
        log.info("loaded %s: %s", path, result)
        return module

    def setup(self, module):
        return module.to(self.device).eval()

    def load_and_setup(self, module, path):
        return self.setup(self.load(module, path))
