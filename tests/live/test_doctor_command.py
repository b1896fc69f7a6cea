"""`unmeta doctor`: a checkpoint folder or a script, and an exit code that a job can use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import transformers
from safetensors.torch import load_file, save_file
from transformers import FNetConfig, FNetModel, LlamaConfig, LlamaForCausalLM

from unmeta.cli import main

SIZES = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}

FIVE = int(transformers.__version__.partition(".")[0]) >= 5


def test_a_whole_checkpoint_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    LlamaForCausalLM(LlamaConfig(vocab_size=32, **SIZES)).save_pretrained(tmp_path)
    assert main(["doctor", str(tmp_path)]) == 0
    assert "(LlamaForCausalLM): nothing found" in capsys.readouterr().out


def test_values_that_are_not_finite_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    LlamaForCausalLM(LlamaConfig(vocab_size=32, **SIZES)).save_pretrained(tmp_path)
    file = tmp_path / "model.safetensors"
    state = load_file(file)
    state["model.norm.weight"].fill_(float("nan"))
    save_file(state, file, {"format": "pt"})
    assert main(["doctor", str(tmp_path), "--json"]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    assert report["findings"][0]["tensors"] == ["model.norm.weight"]


@pytest.mark.skipif(not FIVE, reason="transformers 4 initialises this bias")
def test_memory_that_the_loader_leaves_unwritten_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = FNetConfig(vocab_size=32, hidden_size=16, intermediate_size=16, num_hidden_layers=1)
    FNetModel(config).save_pretrained(tmp_path)
    file = tmp_path / "config.json"
    file.write_text(file.read_text().replace('"FNetModel"', '"FNetForMaskedLM"'))
    assert main(["doctor", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "cls.predictions.bias" in said
    assert "mismatched-or-new-head" in said


@pytest.mark.parametrize(
    "text", [None, "{", '{"architectures": ["LlamaForCausalLM"], "model_type": "llama"}']
)
def test_what_is_no_checkpoint_is_refused(
    text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (tmp_path / "config.json").write_text(text)
    assert main(["doctor", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def doctor(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "unmeta", "doctor", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


SCRIPT = """import torch
from torch import nn
whole = nn.Linear(2, 2)
with torch.device("meta"):
    net = nn.Linear(2, 2)
"""


def test_a_script_is_run_and_what_it_leaves_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "build.py").write_text(SCRIPT)
    done = doctor("build.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "net.load_state_dict(state_dict, assign=True)" in done.stdout
    assert "whole (Linear): nothing found" in done.stdout
    assert doctor("build.py", "--name", "whole", cwd=tmp_path).returncode == 0
    missing = doctor("build.py", "--name", "nothing", cwd=tmp_path)
    assert (missing.returncode, missing.stdout) == (2, "")


def test_a_script_that_fails_is_told_with_the_model_of_its_frames(tmp_path: Path) -> None:
    (tmp_path / "move.py").write_text(f"{SCRIPT}def go(model):\n    model.to('cpu')\ngo(net)\n")
    done = doctor("move.py", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("net (Linear): 1 problem")
    assert "move.py ends with NotImplementedError" in done.stderr


def test_a_script_without_a_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("x = 1\n")
    done = doctor("empty.py", cwd=tmp_path)
    assert done.returncode == 2
    assert "leaves no torch module" in done.stderr
