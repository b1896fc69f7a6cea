"""Prompt executor of a node UI, with a loader node and a sampler node."""

import sys
import time
import traceback

import torch
from dit import DiT, meta_ops
from weights import CHECKPOINT, ensure_checkpoint


class LoadDiffusionModel:
    RETURN_TYPES = ("MODEL",)

    def execute(self, name):
        sd = torch.load(name, map_location="cpu", weights_only=True)
        model = DiT(width=sd["inp.weight"].shape[0], ops=meta_ops)
        m, u = model.load_state_dict(sd, strict=False)
        if m:
            print("missing keys:", m)
        if u:
            print("unexpected keys:", u)
        return (model.eval(),)


class Sampler:
    RETURN_TYPES = ("LATENT",)

    @torch.no_grad()
    def execute(self, model, steps=3, seed=1):
        x = torch.randn(1, 16, 8, generator=torch.Generator().manual_seed(seed))
        for t in torch.linspace(1, 0.1, steps):
            x = x - 0.2 * model(x, t.expand(1))
        return (x,)


def run_prompt():
    start = time.time()
    print("got prompt")
    try:
        (model,) = LoadDiffusionModel().execute(CHECKPOINT)
        print("model_type FLOW")
        (latent,) = Sampler().execute(model)
    except Exception as e:
        print(f"!!! Exception during processing !!! {e}")
        traceback.print_exc()
        return None
    print(f"Prompt executed in {time.time() - start:.2f} seconds")
    return latent


if __name__ == "__main__":
    reference = ensure_checkpoint()
    latent = run_prompt()
    if latent is None:
        sys.exit(1)
    assert torch.allclose(latent, Sampler().execute(reference)[0], atol=1e-5)
