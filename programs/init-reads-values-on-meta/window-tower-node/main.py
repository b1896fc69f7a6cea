"""A loader node with a cache, as the editor calls it."""

import traceback

import torch
from tower import TowerConfig, WindowTower

NODE_CLASS_MAPPINGS = {}
CACHE = {}


def node(cls):
    NODE_CLASS_MAPPINGS[cls.__name__] = cls
    return cls


@node
class TowerLoader:
    CATEGORY = "vision"

    @classmethod
    def INPUT_TYPES(cls):  # noqa: N802
        return {"required": {"folder": ("STRING", {"default": "tower"})}}

    def execute(self, folder):
        if folder not in CACHE:
            CACHE[folder] = WindowTower.from_pretrained(folder, low_cpu_mem_usage=True).eval()
        return CACHE[folder]


@node
class TowerEncode:
    CATEGORY = "vision"

    def execute(self, tower, pixels):
        with torch.no_grad():
            return tower(pixels)


def run(graph):
    value = ()
    for name, arguments in graph:
        try:
            value = NODE_CLASS_MAPPINGS[name]().execute(*value, **arguments)
            value = (value,)
        except Exception as e:
            print("!!! Exception during processing !!!", e)
            print(traceback.format_exc())
            return None
    return value[0]


if __name__ == "__main__":
    torch.manual_seed(40)
    reference = WindowTower(TowerConfig()).eval()
    reference.save_pretrained("tower")
    image = torch.rand(1, 3, 32, 32)
    out = run([("TowerLoader", {"folder": "tower"}), ("TowerEncode", {"pixels": image})])
    if out is None:
        raise SystemExit("Prompt failed")
    torch.testing.assert_close(out, reference(image).detach())
    print("Prompt executed", tuple(out.shape))
