"""Graph UI in miniature: nodes run one after another, errors are printed like the server does."""

import sys
import traceback

import torch
from net_parts import ImageNet, lora_file

NODES = {}


def node(name):
    def wrap(fn):
        NODES[name] = fn
        return fn

    return wrap


@node("CheckpointLoader")
def load_checkpoint(ctx):
    ctx["model"] = ImageNet.build(seed=5)


@node("LowVRAM")
def low_vram(ctx):
    from accelerate import cpu_offload

    cpu_offload(ctx["model"], execution_device=torch.device("cpu"))


@node("LoraLoader")
def apply_lora(ctx, strength=0.8):
    lora = ctx["lora"] = lora_file()
    modules = dict(ctx["model"].named_modules())
    for key in sorted({k.rsplit(".", 1)[0] for k in lora}):
        layer = modules[key]
        delta = lora[key + ".up"] @ lora[key + ".down"] * strength
        merged = layer.weight.to("cpu", torch.float32) + delta
        layer.weight = torch.nn.Parameter(merged.to(layer.weight.dtype), requires_grad=False)
    print(f"patched {len(lora) // 2} layers")


@node("Sample")
def sample(ctx):
    with torch.no_grad():
        ctx["image"] = ctx["model"](torch.linspace(-1, 1, 24).reshape(1, 24))


def execute(graph):
    ctx = {}
    for name in graph:
        try:
            NODES[name](ctx)
        except Exception as e:
            print(f"!!! Exception during processing of node {name}: {e}", file=sys.stderr)
            traceback.print_exc()
            return None
    return ctx


if __name__ == "__main__":
    ctx = execute(["CheckpointLoader", "LowVRAM", "LoraLoader", "Sample"])
    if ctx is None:
        sys.exit(1)
    want = ImageNet.build(seed=5).with_lora(ctx["lora"], 0.8)(torch.linspace(-1, 1, 24).reshape(1, 24))
    assert torch.allclose(ctx["image"], want, atol=1e-5)
    print("image", ctx["image"].shape)
