"""Single-file models by name, loaded in the background."""

from concurrent.futures import ThreadPoolExecutor

from diffusers import AutoencoderKLWan


class Cache:
    def __init__(self, config, **overrides):
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="model-loader")
        self.config, self.overrides, self.futures = config, overrides, {}

    def _load(self, name):
        path = f"{name}.safetensors"
        return AutoencoderKLWan.from_single_file(path, config=self.config, **self.overrides).eval()

    def prefetch(self, *names):
        for name in names:
            self.futures[name] = self.pool.submit(self._load, name)

    def __getitem__(self, name):
        return self.futures[name].result(timeout=60)
