"""Unit test style check, run before each release: python main.py -v"""

import unittest

import torch
from layers import GatedUnit, MixedNorm


class Shapes(unittest.TestCase):
    def build(self, dim, device):
        with torch.device(device):
            return GatedUnit(dim), torch.randn(2, 5, dim)

    def test_large_block_keeps_its_shape(self):
        unit, x = self.build(8192, "meta")
        self.assertEqual(unit(x).shape, x.shape)

    def test_small_block_runs(self):
        unit, x = self.build(16, "cpu")
        self.assertTrue(torch.isfinite(unit(x)).all())

    def test_norm_follows_autocast(self):
        norm = MixedNorm(8)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.assertEqual(norm(torch.randn(3, 8)).dtype, torch.bfloat16)


if __name__ == "__main__":
    unittest.main()
