"""What `doctor` says of models in each state, in the names of the caller."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
import transformers
from accelerate import cpu_offload, disk_offload, init_empty_weights
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

import unmeta
from unmeta.live import patched
from unmeta.live.report import MetaTensorError, folded
from unmeta.live.states import STATES

FIVE = int(transformers.__version__.partition(".")[0]) >= 5
SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}


def llama(**more: object) -> LlamaForCausalLM:
    return LlamaForCausalLM(LlamaConfig(vocab_size=128, **SIZES, **more))


def empty() -> nn.Sequential:
    with torch.device("meta"):
        return nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))


def test_a_whole_model_has_no_finding() -> None:
    report = unmeta.doctor(llama())
    assert report
    assert report.findings == ()
    assert report.raise_for_findings() is report


def test_an_empty_model_was_never_loaded() -> None:
    mine = empty()
    report = unmeta.doctor(mine)
    (finding,) = report.findings
    assert finding.cause == "empty-init-never-loaded"
    assert finding.tensors == ("0.weight", "0.bias", "1.weight", "1.bias")
    assert finding.change == ("mine.load_state_dict(state_dict, assign=True)",)
    with pytest.raises(MetaTensorError, match="never loaded"):
        report.raise_for_findings()


def test_a_checkpoint_that_holds_the_names_was_copied_in_vain() -> None:
    model = empty()
    state = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2)).state_dict()
    (finding,) = unmeta.doctor(model, checkpoint=state).findings
    assert finding.cause == "load-state-dict-no-op"


def test_a_prefix_of_the_checkpoint_is_found_and_the_change_drops_it() -> None:
    model = empty()
    real = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    state = {f"_orig_mod.{name}": value for name, value in real.state_dict().items()}
    (finding,) = unmeta.doctor(model, checkpoint=state).findings
    assert finding.cause == "missing-keys-left-on-meta"
    assert "it holds '_orig_mod.0.weight' for '0.weight'" in finding.evidence
    space = {"model": model, "state_dict": state}
    for line in finding.change:
        exec(line, space)
    assert unmeta.doctor(model)
    assert torch.equal(model[1].weight, real[1].weight)


def test_a_missing_key_is_named_and_the_change_fills_it() -> None:
    model = empty()
    model.load_state_dict({"0.weight": torch.ones(4, 4), "0.bias": torch.ones(4)}, strict=False, assign=True)
    (finding,) = unmeta.doctor(model).findings
    assert finding.cause == "missing-keys-left-on-meta"
    assert finding.tensors == ("1.weight", "1.bias")
    for line in finding.change:
        exec(line, {"model": model})
    assert unmeta.doctor(model)


def test_a_checkpoint_on_meta_is_told_apart() -> None:
    model = empty()
    (finding,) = unmeta.doctor(model, checkpoint=empty().state_dict()).findings
    assert finding.cause == "torch-load-to-meta"


def test_a_tied_partner_is_named() -> None:
    with init_empty_weights():
        model = llama(tie_word_embeddings=True)
    state = llama(tie_word_embeddings=True).state_dict()
    del state["lm_head.weight"]
    model.load_state_dict(state, strict=False, assign=True)
    finding = unmeta.doctor(model).findings[0]
    assert (finding.cause, finding.tensors) == ("tied-weights-broken", ("lm_head.weight",))
    assert finding.change == ("model.tie_weights()",)
    model.tie_weights()
    assert unmeta.doctor(model)


@pytest.mark.skipif(not FIVE, reason="before transformers 5 the tables lie in each layer")
def test_buffers_outside_the_state_dict_are_computed_again() -> None:
    with torch.device("meta"):
        model = llama()
    model.load_state_dict(llama().state_dict(), assign=True)
    (finding,) = unmeta.doctor(model).findings
    assert finding.cause == "non-persistent-buffer-lost"
    assert finding.tensors == ("model.rotary_emb.inv_freq", "model.rotary_emb.original_inv_freq")
    for line in finding.change:
        exec(line, {"model": model})
    assert unmeta.doctor(model)


def test_offloaded_weights_are_a_note_and_the_device_of_the_inputs_another(tmp_path: Path) -> None:
    model = llama()
    disk_offload(model, str(tmp_path), execution_device=torch.device("cpu"))
    report = unmeta.doctor(model)
    assert report.ok
    assert [(item.cause, item.level) for item in report.findings] == [
        ("offload-warning-benign", "note"),
        ("inputs-sent-to-meta", "note"),
    ]
    assert report.counts["offloaded"] == report.counts["on meta"] > 0
    assert any("on disk" in line for line in report.findings[0].evidence)
    assert str(tmp_path) not in str(report)


def test_an_offload_file_that_is_gone_is_a_problem(tmp_path: Path) -> None:
    model = nn.Sequential(nn.Linear(4, 4))
    disk_offload(model, str(tmp_path), execution_device=torch.device("cpu"))
    (tmp_path / "0.weight.dat").unlink()
    finding = unmeta.doctor(model).problems[0]
    assert (finding.cause, finding.tensors) == ("offload-folder-reused", ("0.weight",))


def test_offload_to_cpu_memory_says_so() -> None:
    model = nn.Sequential(nn.Linear(4, 4))
    cpu_offload(model, execution_device=torch.device("cpu"))
    assert "2 in CPU memory" in unmeta.doctor(model).findings[0].evidence


def test_an_optimizer_that_holds_other_parameters_is_found() -> None:
    model = empty()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    state = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2)).state_dict()
    model.load_state_dict(state, assign=True)
    (finding,) = unmeta.doctor(model, optimizer=optimizer).findings
    assert finding.cause == "optimizer-before-materialise"
    assert finding.change == ("optimizer = SGD(model.parameters(), lr=0.5)",)
    assert unmeta.doctor(model, optimizer=torch.optim.SGD(model.parameters(), lr=0.5))


@pytest.mark.parametrize("value", [float("nan"), 1e30, 1e-41, -3.0316488252093987e-13])
def test_memory_that_nobody_wrote_is_suspected(value: float) -> None:
    model = nn.Linear(64, 64)
    with torch.no_grad():
        model.weight.fill_(value)
    (finding,) = unmeta.doctor(model).findings
    assert (finding.cause, finding.tensors) == ("to-empty-uninitialised", ("weight",))


def test_masks_and_ordinary_constants_are_not_suspected() -> None:
    model = nn.Module()
    model.ones, model.zeros = nn.Parameter(torch.ones(64)), nn.Parameter(torch.zeros(64))
    model.small = nn.Parameter(torch.full((64,), 1e-6))
    model.register_buffer("mask", torch.full((8, 8), float("-inf")).triu(1))
    model.register_buffer("floor", torch.full((8, 8), torch.finfo(torch.float32).min).triu(1))
    assert unmeta.doctor(model)


def test_a_default_device_in_force_is_found() -> None:
    with torch.device("meta"):
        assert [item.cause for item in unmeta.doctor(llama_on_cpu()).problems] == ["default-device-leak"]


def llama_on_cpu() -> nn.Module:
    return nn.Linear(2, 2, device="cpu")


def test_functions_that_overlapping_blocks_leave_replaced_are_put_back() -> None:
    first, second = init_empty_weights(), init_empty_weights()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    second.__exit__(None, None, None)
    try:
        layer = nn.Linear(2, 2)
        assert unmeta.doctor(layer).findings[0].cause == "overlapping-empty-init"
        assert unmeta.unpatch() == ["torch.nn.modules.module.Module.register_parameter"]
        assert nn.Linear(2, 2).weight.device.type == "cpu"
    finally:
        unmeta.unpatch()


@pytest.mark.skipif(not FIVE, reason="replaces functions of torch from transformers 5 on")
def test_what_overlapping_loads_of_transformers_leave_is_put_back() -> None:
    from transformers import PreTrainedModel, initialization

    contexts = (
        initialization.no_tie_weights,
        initialization.meta_device_safe_creation_ops,
        initialization.guard_torch_init_functions,
    )
    for context in contexts:
        first, second = context(), context()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        second.__exit__(None, None, None)
    assert "transformers.modeling_utils.PreTrainedModel.tie_weights" in unmeta.unpatch()
    assert patched.patches() == []
    assert isinstance(torch.linspace, type(torch.arange))
    model = llama(tie_word_embeddings=True)
    assert model.lm_head.weight is model.model.embed_tokens.weight
    assert PreTrainedModel.tie_weights.__doc__


def test_an_object_that_holds_models_is_looked_through() -> None:
    class Pipe:
        def __init__(self) -> None:
            self.components = {"unet": empty(), "scheduler": object()}

    pipe = Pipe()
    (finding,) = unmeta.doctor(pipe).findings
    assert finding.change == ("pipe.unet.load_state_dict(state_dict, assign=True)",)


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(TypeError, match="not at dict"):
        unmeta.doctor({})


@pytest.mark.parametrize("content", [b"", b"\xff" * 16, b"\x10" + b"\0" * 7 + b"no json at all.."])
def test_a_checkpoint_that_is_none_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"model\.safetensors is no safetensors file"):
        unmeta.doctor(empty(), checkpoint=file)


def test_a_report_has_text_html_and_json_forms() -> None:
    report = unmeta.doctor(empty())
    assert json.loads(json.dumps(report.to_dict()))["findings"][0]["cause"] == "empty-init-never-loaded"
    assert "https://" in str(report)
    assert "<script" not in report._repr_html_()
    assert "<code>" in report._repr_html_()


def test_names_that_differ_in_a_number_are_folded() -> None:
    names = (*(f"layers.{n}.mlp.0.weight" for n in range(32)), "head.bias")
    assert folded(names) == ["layers.{0…31}.mlp.0.weight (32)", "head.bias"]


def test_every_cause_has_its_states(root: Path) -> None:
    assert {path.stem for path in (root / "kb" / "causes").glob("*.yaml")} <= STATES.keys()
