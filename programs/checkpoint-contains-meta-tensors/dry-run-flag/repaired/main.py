"""Resume job: picks the newest step file of the run folder."""

import argparse
import glob
import logging
import os

import pretrain
import torch

log = logging.getLogger("resume")


def newest(folder):
    files = glob.glob(os.path.join(folder, "step-*.pt"))
    return max(files, key=lambda f: int(f.rsplit("-", 1)[1][:-3]))


def resume(folder):
    path = newest(folder)
    state = torch.load(path, map_location="cpu", weights_only=True)
    model = pretrain.make_model()
    log.info("resuming %s at step %d", path, state["step"])
    try:
        model.load_state_dict(state["model"])
    except RuntimeError as e:
        raise SystemExit(f"cannot resume from {path}:\n{e}") from e
    return model, state["step"]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--folder", default="run-17")
    ap.add_argument("--dry-run", action=argparse.BooleanOptionalAction, default=False)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    torch.manual_seed(2)
    pretrain.run(args.folder, args.dry_run)
    model, step = resume(args.folder)
    x = torch.randn(2, 5, 16)
    loss = (model(x) - x).square().mean()
    log.info("step %d loss %.3f", step, loss)
    assert torch.isfinite(loss)


if __name__ == "__main__":
    main()
