"""Inference engine of a config-driven detection framework."""

import logging

import torch
from registry import build

logging.basicConfig(level=logging.INFO, format="%(asctime)s - engine - %(levelname)s - %(message)s")
logger = logging.getLogger("engine")

CFG = {
    "model": {
        "type": "SingleStage",
        "device": "meta",
        "backbone": {"type": "ConvStack", "channels": [3, 8, 16]},
        "head": {"type": "DenseHead", "channels": 16, "classes": 4},
    },
    "load_from": "detector_final.pth",
    "device": "cpu",
    "score_thr": 0.3,
}


class Engine:
    def __init__(self, cfg):
        self.cfg = cfg
        logger.info("building %s", cfg["model"])
        self.model = build(cfg["model"])
        if cfg["load_from"]:
            self.load_checkpoint(cfg["load_from"])
        self.model.to(cfg["device"])
        self.model.eval()

    def load_checkpoint(self, path):
        state = torch.load(path, map_location=self.cfg["device"], weights_only=True)
        self.model.load_state_dict(state["state_dict"], assign=True)
        logger.info("load checkpoint from local path: %s", path)

    @torch.no_grad()
    def infer(self, image):
        scores = self.model(image.to(self.cfg["device"])).sigmoid()
        keep = scores > self.cfg["score_thr"]
        return scores[keep]


def release(path):
    torch.manual_seed(3)
    model = build({**CFG["model"], "device": "cpu"})
    torch.save({"state_dict": model.state_dict(), "meta": {"epoch": 12}}, path)
    return model.eval()


def main():
    reference = release(CFG["load_from"])
    engine = Engine(CFG)
    image = torch.rand(1, 3, 12, 12, generator=torch.Generator().manual_seed(0))
    found = engine.infer(image)
    want = reference(image).sigmoid()
    assert torch.allclose(found, want[want > CFG["score_thr"]], atol=1e-6)
    logger.info("%d detections", len(found))


if __name__ == "__main__":
    main()
