"""Caption node: `load` and `run` are called by the graph executor, which owns the device."""

import sys

import torch
from transformers import AutoModelForCausalLM, OPTConfig, OPTForCausalLM

FOLDER = "models/captioner"


def download():
    """Stands in for the model manager."""
    torch.manual_seed(4)
    shape = {"hidden_size": 32, "word_embed_proj_dim": 32, "ffn_dim": 64}
    config = OPTConfig(vocab_size=70, num_hidden_layers=2, num_attention_heads=4, **shape)
    OPTForCausalLM(config).save_pretrained(FOLDER)


class CaptionNode:
    RETURN_TYPES = ("IDS",)
    LOW_VRAM = {"model.decoder.layers.0": "disk", "model.decoder.layers.1": "disk"}
    RESIDENT = ("embed_tokens", "embed_positions", "final_layer_norm")

    def __init__(self):
        self.model = None

    def load(self, low_vram):
        placement = {f"model.decoder.{part}": "cpu" for part in self.RESIDENT}
        placement["lm_head"] = "cpu"
        device_map = placement | self.LOW_VRAM if low_vram else None
        self.model = AutoModelForCausalLM.from_pretrained(
            FOLDER, device_map=device_map, offload_folder="temp/offload" if low_vram else None
        )

    def run(self, ids, device="cpu"):
        self.model.eval()
        with torch.no_grad():
            logits = self.model(ids.to(device)).logits
        return (logits.argmax(-1),)


class Executor:
    def __init__(self, node):
        self.node = node

    def execute(self, **inputs):
        try:
            return self.node.run(**inputs)
        except Exception:
            print(f"!!! Exception during processing of {type(self.node).__name__}", file=sys.stderr)
            raise


def main():
    download()
    prompt = torch.tensor([[2, 14, 30, 8]])
    results = []
    for low_vram in (False, True):
        node = CaptionNode()
        node.load(low_vram)
        results.append(Executor(node).execute(ids=prompt)[0])
    assert torch.equal(*results)


if __name__ == "__main__":
    main()
