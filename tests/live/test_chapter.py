"""The chapter shows what happens: its blocks are run, and their output is what stands under them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest
import transformers

FIVE = int(transformers.__version__.partition(".")[0]) >= 5
BLOCK = re.compile(r"```python\n(.*?)```\n+(?:```text\n(.*?)```)?", re.DOTALL)


@pytest.mark.skipif(not FIVE, reason="a Llama of transformers 4 has a buffer less")
def test_every_block_prints_what_stands_under_it(root: Path, tmp_path: Path, monkeypatch: Any) -> None:
    from safetensors.torch import save_file
    from torch import nn

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DS_ACCELERATOR", "cpu")  # deepspeed, where installed, says else that it found none
    text = (root / "docs" / "guide" / "live.md").read_text(encoding="utf-8")
    whole = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 2)).state_dict()
    save_file(whole, "model.safetensors")
    space: dict[str, Any] = {}
    told = 0
    for code, output in BLOCK.findall(text):
        if "raise_for_findings" in code:
            continue  # it raises; what it raises is the report above
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "live.md", "exec"), space)
        assert printed.getvalue() == output
        told += bool(output)
    assert told >= 5
