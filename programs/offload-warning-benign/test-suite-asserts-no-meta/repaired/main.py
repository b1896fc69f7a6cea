"""Acceptance test of a model drop, run by hand before a release."""

import sys
import time
import unittest

import torch
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen2ForCausalLM

DROP = "qwen-drop"
MAP = {"": "cpu"}


def application_load(path):
    return AutoModelForCausalLM.from_pretrained(path, device_map=MAP, offload_folder="offload")


class ModelDrop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.manual_seed(14)
        config = Qwen2Config(
            vocab_size=48,
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
        )
        Qwen2ForCausalLM(config).save_pretrained(DROP)
        start = time.perf_counter()
        cls.model = application_load(DROP).eval()
        print(f"loaded in {time.perf_counter() - start:.2f} s", file=sys.stderr)

    def test_every_weight_is_there(self):
        empty = [n for n, p in self.model.named_parameters() if p.is_meta]
        assert not empty, f"{len(empty)} weights have no data: {empty[:3]}"

    def test_answers(self):
        with torch.no_grad():
            logits = self.model(input_ids=torch.tensor([[3, 4, 5]])).logits
        assert logits.shape == (1, 3, 48)
        assert logits.isfinite().all()
        assert logits.std() > 0.01


if __name__ == "__main__":
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(ModelDrop)
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    sys.exit(not result.wasSuccessful())
