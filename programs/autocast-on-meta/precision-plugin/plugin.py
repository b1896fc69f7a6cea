"""Precision plugins: full, and mixed with a context around every forward."""

import contextlib

import torch


class FullPrecision:
    def context(self, module):
        return contextlib.nullcontext()


class MixedPrecision:
    def __init__(self, dtype=torch.bfloat16):
        self.dtype = dtype

    def context(self, module):
        device = next(module.parameters()).device
        return torch.autocast(device.type, dtype=self.dtype)
