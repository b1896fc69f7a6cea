"""What `doctor` says of models that were tied apart, shared, copied, split or changed; one rule a test."""

from __future__ import annotations

import copy
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from accelerate import dispatch_model, init_empty_weights
from accelerate.hooks import remove_hook_from_submodules
from torch import distributed, nn
from torch._subclasses import FakeTensorMode
from transformers import LlamaConfig, LlamaForCausalLM

import unmeta
from unmeta.live import met
from unmeta.live.doctor import examine
from unmeta.live.explaining import Seen, weighed
from unmeta.live.report import Report
from unmeta.live.scene import Scene
from unmeta.live.written import causes

FIVE = int(transformers.__version__.partition(".")[0]) >= 5
SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
HEAD_ON_DISK = {"model": "cpu", "lm_head": "disk"}


def llama(**more: object) -> LlamaForCausalLM:
    return LlamaForCausalLM(LlamaConfig(vocab_size=128, **SIZES, **more)).eval()


def loaded(folder: Path, **more: object) -> LlamaForCausalLM:
    llama(**more).save_pretrained(folder / "model")
    return LlamaForCausalLM.from_pretrained(
        str(folder / "model"), device_map=HEAD_ON_DISK, offload_folder=str(folder / "offload")
    )


def of(report: Report) -> list[str]:
    return [item.cause for item in report.findings]


def raised(work: object) -> BaseException:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each test asks about another one
        work()  # type: ignore[operator]
    return caught.value


@pytest.mark.skipif(not FIVE, reason="transformers 4 stores the layer under its own name")
def test_a_tied_layer_on_disk_has_no_entry_of_its_own(tmp_path: Path) -> None:
    model = loaded(tmp_path, tie_word_embeddings=True)
    finding = unmeta.doctor(model).problems[0]
    assert (finding.cause, finding.tensors) == ("tied-params-split", ("lm_head.weight",))
    assert '"lm_head": "cpu", "model.embed_tokens": "cpu"' in finding.change[0]


def test_two_models_in_one_offload_folder_are_noted_on_both(tmp_path: Path) -> None:
    first, second = llama(), llama()
    dispatch_model(first, HEAD_ON_DISK, offload_dir=str(tmp_path))
    assert "offload-folder-reused" not in of(unmeta.doctor(first))
    dispatch_model(second, HEAD_ON_DISK, offload_dir=str(tmp_path))
    for model in (first, second):
        report = unmeta.doctor(model)
        assert report.ok
        assert report.findings[0].cause == "offload-folder-reused"
        assert report.findings[0].tensors == ("lm_head.weight",)
    del first, model
    assert "offload-folder-reused" not in of(unmeta.doctor(second))


def test_a_copy_whose_methods_are_the_originals_is_found() -> None:
    model = llama()
    dispatch_model(model, {"": "cpu"}, force_hooks=True)
    assert unmeta.doctor(model)
    twin = copy.deepcopy(model)
    assert of(unmeta.doctor(twin))[0] == "hooks-removed-or-copied"


def test_a_load_into_offloaded_weights_is_found(tmp_path: Path) -> None:
    model = loaded(tmp_path)
    with pytest.warns(UserWarning, match=r"lm_head.weight: copying from a non-meta parameter"):
        model.load_state_dict(llama().state_dict())
    registry = vars(nn.modules.module).setdefault("__warningregistry__", {})
    key = ("for lm_head.weight: copying from a non-meta parameter", UserWarning, 1)  # pytest keeps none
    registry[key] = True
    try:
        assert unmeta.doctor(model).problems[0].cause == "offloaded-weight-changed"
    finally:
        del registry[key]


def test_resident_weights_that_are_not_those_of_the_file_are_noted(tmp_path: Path) -> None:
    model = loaded(tmp_path)
    assert "offloaded-weight-changed" not in of(unmeta.doctor(model))
    others = {name: value for name, value in llama().state_dict().items() if "lm_head" not in name}
    model.load_state_dict(others, strict=False)
    report = unmeta.doctor(model)
    if any("safetensors" in line for item in report.findings for line in item.evidence):
        assert report.findings[0].cause == "offloaded-weight-changed"
    assert report.ok


def test_a_list_of_parameters_from_before_loading_is_found() -> None:
    with torch.device("meta"):
        model = nn.Linear(4, 1)
    trained = list(model.parameters())
    model.load_state_dict(nn.Linear(4, 1).state_dict(), assign=True)
    (finding,) = unmeta.doctor(model, optimizer=trained).findings
    assert finding.cause == "optimizer-before-materialise"
    assert finding.change == ("parameters = [p for p in model.parameters() if p.requires_grad]",)
    assert unmeta.doctor(model, optimizer=list(model.parameters()))


def test_a_pair_that_came_apart_and_was_trained_is_found() -> None:
    model = llama(tie_word_embeddings=True)
    model.lm_head.weight = nn.Parameter(model.model.embed_tokens.weight.detach().clone())
    assert unmeta.doctor(model)
    with torch.no_grad():
        model.lm_head.weight.add_(1)
    (finding,) = unmeta.doctor(model).findings
    assert finding.cause == "tied-weights-broken"
    assert finding.change == ("model.tie_weights()",)


@pytest.mark.skipif(not FIVE, reason="names are converted from transformers 5 on")
def test_names_that_only_the_library_converts_are_told_apart() -> None:
    from transformers import MixtralConfig, MixtralForCausalLM

    config = MixtralConfig(vocab_size=128, num_key_value_heads=2, num_local_experts=2, **SIZES)
    real = MixtralForCausalLM(config)
    with init_empty_weights():
        model = MixtralForCausalLM(config)
    state = {name: value for name, value in real.state_dict().items() if ".mlp." not in name}
    model.load_state_dict(state, strict=False, assign=True)
    (finding,) = unmeta.doctor(model).findings
    assert finding.cause == "converted-checkpoint-names"
    model.model.norm.weight = nn.Parameter(torch.empty(32, device="meta"))
    assert of(unmeta.doctor(model)) == ["missing-keys-left-on-meta"]


def test_what_is_offloaded_in_another_model_came_from_its_checkpoint() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2, device="meta"))
    beside = Scene(offloaded=(frozenset({"1.weight", "1.bias"}),))
    assert of(examine(model, "model", around=beside)) == ["checkpoint-contains-meta-tensors"]
    assert of(examine(model, "model")) == ["missing-keys-left-on-meta"]


@pytest.fixture
def group(tmp_path: Path) -> Iterator[None]:
    store = distributed.FileStore(str(tmp_path / "store"), 1)
    distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    yield
    distributed.destroy_process_group()


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.scale = nn.Linear(4, 2), nn.Parameter(torch.ones(2))


@pytest.mark.usefixtures("group")
def test_a_meta_module_that_fsdp_could_not_fill_is_of_fsdp() -> None:
    from torch.distributed.fsdp import FullyShardedDataParallel

    with torch.device("meta"):
        model = Scaled()

    def wrap() -> None:
        FullyShardedDataParallel(model, device_id=torch.device("cpu"), param_init_fn=lambda _: None)

    error = raised(wrap)
    around = met.scene_of(error)
    assert around.splitting == "fsdp-meta-init"
    assert of(examine(model, "model", around=around))[0] == "fsdp-meta-init"
    assert of(unmeta.doctor(model))[0] == "empty-init-never-loaded"
    assert around.error == type(error).__name__


@pytest.mark.filterwarnings("ignore:DTensor random operators")  # torch 2.5, of each process with a CPU mesh
@pytest.mark.usefixtures("group")
def test_plain_tensors_where_shards_should_be_are_found() -> None:
    parallel = pytest.importorskip("torch.distributed.tensor.parallel")
    mesh = pytest.importorskip("torch.distributed.device_mesh").init_device_mesh("cpu", (1,))
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    state = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2)).state_dict()
    parallel.parallelize_module(model, mesh, {"0": parallel.ColwiseParallel()})
    assert unmeta.doctor(model)
    model.load_state_dict(state, assign=True)
    (finding,) = unmeta.doctor(model).findings
    assert (finding.cause, finding.tensors) == ("tensor-parallel-meta", ("0.weight", "0.bias"))


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.skipif(not FIVE, reason="one release of peft is enough to show what it writes")
def test_a_base_checkpoint_that_peft_wrote_over_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peft = pytest.importorskip("peft")
    monkeypatch.chdir(tmp_path)
    llama().save_pretrained("base")
    lora = peft.LoraConfig(target_modules=["q_proj"], init_lora_weights=False)
    peft.get_peft_model(LlamaForCausalLM.from_pretrained("base"), lora).save_pretrained("adapter")
    places = {"model.embed_tokens": "cpu", "model.layers.0": "cpu", "model.layers.1": "disk"}
    places |= {"model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}
    base = LlamaForCausalLM.from_pretrained("base", device_map=places)
    prefixed = {f"base_model.model.{name}": place for name, place in places.items()}
    model = peft.PeftModel.from_pretrained(base, "adapter", device_map=prefixed, low_cpu_mem_usage=True)
    assert unmeta.doctor(model).findings[0].cause == "peft-overwrites-base-checkpoint"
    again = LlamaForCausalLM.from_pretrained("base", device_map=places)
    assert unmeta.doctor(again).problems[0].cause == "peft-overwrites-base-checkpoint"


def test_ways_onto_meta_are_read_from_the_code() -> None:
    moved = 'self.model.to("meta")\n'
    built = 'with torch.device("meta"):\n    model = Net()\n'
    write = "for m in model.modules():\n    nn.init.normal_(m.weight)\n"
    assert causes(moved) == {"moved-to-meta-to-free"}
    assert causes('model.to(device=torch.device("meta"))') == {"moved-to-meta-to-free"}
    assert causes(moved + built) == set()
    assert causes(built + write) == {"in-place-write-on-meta-no-op"}
    assert causes(built + write + "model.load_state_dict(state, assign=True)") == set()
    assert causes(built + "class A:\n    def __init__(self):\n        nn.init.ones_(self.weight)\n") == set()
    assert causes("this is no code") == set()


def first(shares: dict[str, float], seen: Seen, decided: str | None = None) -> str:
    weights = weighed(shares, seen, decided)
    return max(weights, key=lambda cause: weights[cause])


def test_the_process_outweighs_what_the_text_decides() -> None:
    shares = {"module-to-on-meta": 90.0, "wrapper-bypasses-dispatch-guard": 5.0}
    offloaded = Seen(state="offloaded", through="wrapper-bypasses-dispatch-guard")
    assert first(shares, offloaded, "module-to-on-meta") == "wrapper-bypasses-dispatch-guard"
    assert first(shares, Seen(state="empty"), "module-to-on-meta") == "module-to-on-meta"
    assert first(shares, Seen(), "module-to-on-meta") == "module-to-on-meta"


def test_a_narrow_finding_outweighs_the_wider_cause_of_the_text() -> None:
    shares = {"missing-keys-left-on-meta": 95.0, "converted-checkpoint-names": 3.0}
    seen = Seen(state="partly", problems=("converted-checkpoint-names",))
    assert first(shares, seen, "missing-keys-left-on-meta") == "converted-checkpoint-names"


def test_causes_of_distributed_runs_need_one() -> None:
    shares = {"module-to-on-meta": 50.0, "fsdp-meta-init": 45.0}
    assert first(shares, Seen(state="empty")) == "module-to-on-meta"
    assert first(shares, Seen(distributed=True)) == "fsdp-meta-init"


def test_what_only_a_person_tells_is_doubted_in_an_exception() -> None:
    shares = {"library-pins-mismatch": 56.0, "data-dependent-op-on-meta": 43.0}
    assert first(shares, Seen()) == "data-dependent-op-on-meta"


def test_how_the_code_came_onto_meta_decides_only_between_what_the_text_knows() -> None:
    seen = Seen(state="empty", code=frozenset({"moved-to-meta-to-free"}))
    assert first({"autocast-on-meta": 100.0}, seen) == "autocast-on-meta"
    assert (
        first({"mixed-meta-and-real-op": 76.0, "moved-to-meta-to-free": 16.0}, seen)
        == "moved-to-meta-to-free"
    )
    assert first({}, seen) == "moved-to-meta-to-free"


def test_what_the_checkpoint_holds_is_not_said_to_be_absent() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2, device="meta"))
    state = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)).state_dict()
    (held,) = examine(model, "model", state, given=False).findings
    del state["1.weight"], state["1.bias"]
    (absent,) = examine(model, "model", state, given=False).findings
    assert (held.sure, absent.sure) == (False, True)
    assert absent.evidence[0].startswith("not in the state dict")


class Hidden(nn.Module):
    """Gives its model back without what it was loaded from; `load_state_dict` is named in its code."""

    def restored(self, model: nn.Module) -> nn.Module:
        state = {name: torch.zeros(value.shape) for name, value in model.state_dict().items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.load_state_dict(state)
        return model


def on_meta() -> nn.Sequential:
    with torch.device("meta"):
        return nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))


def causes_of(model: nn.Module, **known: Any) -> list[str]:
    return [found.cause for found in examine(model, "model", around=Scene(**known)).findings]


def test_counters_tell_a_copy_in_vain_a_move_and_a_model_as_it_was_built() -> None:
    assert causes_of(on_meta()) == ["empty-init-never-loaded"]
    assert causes_of(Hidden().restored(on_meta())) == ["load-state-dict-no-op"]
    assert causes_of(nn.Sequential(nn.Linear(3, 3)).to("meta")) == ["moved-to-meta-to-free"]
    assert causes_of(copy.deepcopy(on_meta()), used=frozenset({"deepcopy"})) == ["empty-init-never-loaded"]


def test_initialisers_are_no_copy_in_vain() -> None:
    model = on_meta()
    nn.init.ones_(model[0].weight)
    assert causes_of(model, used=frozenset({"load_state_dict"})) == ["empty-init-never-loaded"]


def test_without_buffers_the_code_decides_whether_writes_were_a_load() -> None:
    model = Hidden().restored(nn.Sequential(nn.Linear(3, 3, device="meta")))
    assert causes_of(model) == ["empty-init-never-loaded"]
    assert causes_of(model, used=frozenset({"load_state_dict"})) == ["load-state-dict-no-op"]


def test_a_look_writes_nothing() -> None:
    model = on_meta()
    before = [value._version for value in (*model.parameters(), *model.buffers())]
    with unmeta.strict():
        examine(model, "model")
    assert [value._version for value in (*model.parameters(), *model.buffers())] == before


def test_what_a_hook_leaves_tells_that_it_was_taken_off(tmp_path: Path) -> None:
    model = loaded(tmp_path)
    remove_hook_from_submodules(model)
    del model.hf_device_map
    assert causes_of(model) == ["hooks-removed-or-copied"]


def test_parameters_of_old_are_found_in_dicts_and_objects() -> None:
    model = nn.Linear(2, 2, device="meta")
    average = dict(model.named_parameters())
    own = torch.optim.SGD(model.parameters())
    model.load_state_dict({"weight": torch.ones(2, 2), "bias": torch.ones(2)}, assign=True)
    trainer = types.SimpleNamespace(shadow=average)
    new = torch.optim.SGD(model.parameters())
    for values in ([("average", average)], [("trainer", trainer)], [("new", new), ("own", own)]):
        (found,) = met.of_values([("model", model), *values])
        assert [part.cause for part in examine(model, "m", None, found.optimizer).findings] == [
            "optimizer-before-materialise"
        ]


def test_what_a_tracer_and_a_library_hold_is_nobodys_optimizer() -> None:
    model = nn.Linear(2, 2, device="meta")
    mode = FakeTensorMode()
    traced = [mode.from_tensor(parameter) for parameter in model.parameters()]
    assert all(isinstance(parameter, nn.Parameter) for parameter in traced)
    of_library = transformers.GenerationConfig()
    of_library.held = list(nn.Linear(2, 2, device="meta").parameters())
    for values in ([("params", traced)], [("config", of_library)]):
        (found,) = met.of_values([("model", model), *values])
        assert found.optimizer is None


def test_a_checkpoint_with_names_of_peft_was_written_over() -> None:
    model = nn.Linear(2, 2)
    state = {f"base_model.model.{name}": value for name, value in model.state_dict().items()}
    (found,) = examine(model, "model", state, given=False).findings
    assert found.cause == "peft-overwrites-base-checkpoint"
