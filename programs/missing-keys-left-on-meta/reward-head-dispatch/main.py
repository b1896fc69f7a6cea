"""Score completions with a reward model (language model body, scalar head on top)."""

import logging

import torch
from accelerate import init_empty_weights, load_checkpoint_and_dispatch
from reward import RewardModel, body_config, write_body
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
log = logging.getLogger("reward")


class RewardService:
    def __init__(self, checkpoint, device_map):
        self.checkpoint = checkpoint
        self.device_map = device_map
        self.model = self._load()

    def _load(self):
        config = body_config()
        with init_empty_weights():
            model = RewardModel(config)
            model.head = nn.Linear(config.hidden_size, 1)
        log.info("dispatching %s over %s", self.checkpoint, self.device_map)
        try:
            model = load_checkpoint_and_dispatch(model, self.checkpoint, device_map=self.device_map)
        except Exception:
            log.exception("reward model unavailable")
            raise SystemExit(1) from None
        return model.eval()

    @torch.no_grad()
    def score(self, ids):
        return self.model(ids).squeeze(-1)


def main():
    write_body("body.safetensors")
    torch.manual_seed(0)
    service = RewardService("body.safetensors", {"": "cpu"})
    ids = torch.tensor([[1, 4, 6], [1, 4, 9]])
    scores = service.score(ids)
    log.info("scores %s", [round(s, 4) for s in scores.tolist()])
    assert scores.isfinite().all()
    assert scores.abs().max() < 5
    assert scores[0] != scores[1]


if __name__ == "__main__":
    main()
