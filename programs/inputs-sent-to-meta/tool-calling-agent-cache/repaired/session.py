"""A conversation: ids so far, on the device of the model."""

import torch


class Session:
    def __init__(self, model, system):
        self.model = model
        self.ids = torch.tensor([system]).to(self.target())

    def target(self):
        placed = [d for d in getattr(self.model, "hf_device_map", {}).values() if d not in ("cpu", "disk")]
        return placed[0] if placed else "cpu"

    def add(self, tokens):
        extra = torch.tensor([tokens], device=self.ids.device)
        self.ids = torch.cat([self.ids, extra], dim=1)

    @torch.inference_mode()
    def turn(self, tokens, limit):
        self.add(tokens)
        for _ in range(limit):
            best = self.model(input_ids=self.ids, use_cache=False).logits[:, -1].argmax(-1)
            self.ids = torch.cat([self.ids, best[:, None].to(self.ids.device)], dim=1)
        return self.ids[0, -limit:].tolist()
