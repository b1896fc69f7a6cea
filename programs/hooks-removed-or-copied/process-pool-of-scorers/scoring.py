import torch
from transformers import AutoModelForCausalLM


class Scorer:
    def __init__(self, path, device_map=None):
        options = {"device_map": device_map, "offload_folder": path + "/off"} if device_map else {}
        self.model = AutoModelForCausalLM.from_pretrained(path, **options).eval()

    @torch.no_grad()
    def __call__(self, ids):
        ids = torch.tensor([ids])
        return self.model(ids, labels=ids).loss.item()
