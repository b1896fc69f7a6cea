"""Plug-ins that change a loaded model: each has a `before` and an `after`."""

import logging

from accelerate.hooks import remove_hook_from_module

log = logging.getLogger("plugins")


class HalfPrecisionExport:
    name = "half-export"

    def before(self, model, path):
        log.debug("%s: taking hooks off", self.name)
        return remove_hook_from_module(model, recurse=True)

    def apply(self, model, path):
        exported = self.before(model, path)
        return exported.half().to("cpu")


class Manager:
    def __init__(self, *plugins):
        self.plugins = plugins

    def run(self, model, path):
        for plugin in self.plugins:
            try:
                model = plugin.apply(model, path)
            except Exception as e:
                raise RuntimeError(f"plug-in {plugin.name!r} failed: {e}") from e
        return model
