"""Smooth activations into weights (scales per input channel), as a step before int8."""

import json
import sys
from collections import defaultdict

import torch
from accelerate.utils import align_module_device
from torch import nn
from transformers import BertConfig, BertForMaskedLM

CHECKPOINT = "bert-src"
SPILL = {
    "bert.embeddings": "cpu",
    "bert.encoder.layer.0": "cpu",
    "bert.encoder.layer.1": "disk",
    "cls": "cpu",
}


def write_checkpoint():
    torch.manual_seed(10)
    shape = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=40, max_position_embeddings=16, tie_word_embeddings=False, **shape)
    BertForMaskedLM(config).save_pretrained(CHECKPOINT)


class Calibration:
    def __init__(self, model):
        self.model, self.peaks = model, defaultdict(lambda: torch.zeros(()))
        self.layers = {
            name: module
            for name, module in model.named_modules()
            if isinstance(module, nn.Linear) and "attention" in name
        }

    def observe(self, batches):
        hooks = [
            layer.register_forward_pre_hook(
                lambda _, inputs, name=name: self.peaks.__setitem__(
                    name, torch.maximum(self.peaks[name], inputs[0].abs().amax((0, 1)).float())
                )
            )
            for name, layer in self.layers.items()
        ]
        with torch.no_grad():
            for ids in batches:
                self.model(input_ids=ids)
        for hook in hooks:
            hook.remove()

    def scales(self, alpha=0.5):
        result = {}
        for name, layer in self.layers.items():
            with align_module_device(layer):
                weight = layer.weight.detach().abs().amax(0)
            scale = self.peaks[name] ** alpha / weight ** (1 - alpha)
            result[name] = [round(value, 4) for value in scale.tolist()]
        return result


def main():
    write_checkpoint()
    model = BertForMaskedLM.from_pretrained(CHECKPOINT, device_map=SPILL, offload_folder="spill").eval()
    calibration = Calibration(model)
    source = torch.Generator().manual_seed(1)
    calibration.observe(torch.randint(0, 40, (2, 8), generator=source) for _ in range(3))
    scales = calibration.scales()
    json.dump({name: values[:2] for name, values in scales.items()}, sys.stdout, indent=1)
    assert len(scales) == 8
    return 0


if __name__ == "__main__":
    sys.exit(main())
