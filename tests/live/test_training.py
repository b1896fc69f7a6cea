"""The callback of the trainer and the hook of accelerate: they look, log, and stop only where asked."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
import torch
from accelerate import Accelerator
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

import unmeta
from unmeta.live import doctor
from unmeta.live.report import MetaTensorError
from unmeta.live.training import look

SIZES = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}


def trainer(folder: Path, spoil: bool = False, **more: Any) -> Trainer:
    model = LlamaForCausalLM(LlamaConfig(vocab_size=32, **SIZES))
    if spoil:
        with torch.no_grad():
            model.model.norm.weight.fill_(float("nan"))
    row = {"input_ids": torch.arange(4), "labels": torch.arange(4)}
    arguments = TrainingArguments(
        str(folder), max_steps=2, save_steps=1, report_to=[], use_cpu=True, disable_tqdm=True
    )
    callback = unmeta.trainer_callback(**more)
    return Trainer(model, arguments, train_dataset=[row] * 4, callbacks=[callback])


@pytest.mark.filterwarnings("ignore")
def test_a_whole_model_trains_without_a_word(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    looks: list[Any] = []
    examine = doctor.examine
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doctor, "examine", lambda *a, **k: looks.append(examine(*a, **k)) or looks[-1])
        trainer(tmp_path).train()
    assert len(looks) == 4  # the trainer has it, training begins, two saves
    assert all(looks)
    assert not [record for record in caplog.records if record.name == "unmeta"]


@pytest.mark.filterwarnings("ignore")
def test_a_problem_is_logged_or_raised_as_asked(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "unmeta"):
        trainer(tmp_path, spoil=True)
    assert "before the trainer has it: model (LlamaForCausalLM): 1 problem" in caplog.text
    with pytest.raises(MetaTensorError, match=r"model\.norm\.weight"):
        trainer(tmp_path, spoil=True, raises=True)


def test_a_state_is_looked_at_before_it_is_saved(tmp_path: Path) -> None:
    accelerator = Accelerator(cpu=True)
    model = accelerator.prepare(nn.Linear(2, 2))
    handle = unmeta.before_saving(accelerator, raises=True)
    accelerator.save_state(str(tmp_path / "whole"))
    with torch.no_grad():
        model.weight.fill_(float("nan"))
    with pytest.raises(MetaTensorError):
        accelerator.save_state(str(tmp_path / "spoilt"))
    handle.remove()
    accelerator.save_state(str(tmp_path / "after"))


def test_what_fails_in_the_look_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    assert look(object(), "it is saved", raises=True) is None
    assert "could not look at the model before it is saved (TypeError)" in caplog.text
