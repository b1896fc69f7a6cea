"""Plug-ins that change a loaded model: each has a `before` and an `after`."""

import logging

log = logging.getLogger("plugins")


class HalfPrecisionExport:
    name = "half-export"

    def before(self, model, path):
        log.debug("%s: opening %s again without hooks", self.name, path)
        return type(model).from_pretrained(path, add_pooling_layer=False)

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
