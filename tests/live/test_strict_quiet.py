"""What `strict()` raises that no operator shows, and when it leaves a forward pass unwatched."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from accelerate import dispatch_model
from torch import nn
from transformers import LlamaConfig, LlamaForCausalLM

import unmeta
from unmeta.live.reach import may_meet_meta
from unmeta.live.strict import MixedOperandsError, StrictError

SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
MAP = {"model": "cpu", "lm_head": "disk"}


def llama() -> LlamaForCausalLM:
    return LlamaForCausalLM(LlamaConfig(vocab_size=128, **SIZES)).eval()


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(3, 3, bias=False), nn.Linear(3, 3, bias=False)
        self.tie()

    def tie(self) -> None:
        self.b.weight = self.a.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.b(self.a(x))


def emptied() -> tuple[Tied, dict[str, torch.Tensor]]:
    with torch.device("meta"):
        model = Tied()
    return model.to_empty(device="cpu"), Tied().state_dict()


@pytest.mark.parametrize("again", [False, True])
def test_a_tie_that_to_empty_broke_is_raised_where_it_is_trained(again: bool) -> None:
    def work() -> None:
        model, saved = emptied()
        model.load_state_dict(saved)
        if again:
            model.tie()
        model(torch.ones(1, 3)).sum().backward()
        torch.optim.SGD(model.parameters(), lr=0.1).step()

    with unmeta.strict():
        if again:
            work()
            return
        with pytest.raises(StrictError, match="trained apart") as caught:
            work()
    assert caught.value.tensors == ("a.weight", "b.weight")
    assert caught.value.cause == "tied-weights-broken"


def test_a_folder_with_weights_of_another_model_is_raised(tmp_path: Path) -> None:
    with unmeta.strict():
        dispatch_model(llama(), MAP, offload_dir=str(tmp_path))
        with pytest.raises(StrictError, match=r"lm_head\.weight") as caught:
            dispatch_model(llama(), MAP, offload_dir=str(tmp_path))
        dispatch_model(llama(), MAP, offload_dir=str(tmp_path / "own"))
    assert caught.value.cause == "offload-folder-reused"


def test_a_move_of_a_copy_that_would_move_the_original_is_raised() -> None:
    model = dispatch_model(llama(), {"": "cpu"}, force_hooks=True)
    with unmeta.strict():
        twin = copy.deepcopy(model)
        with pytest.raises(StrictError, match="copied from") as caught:
            twin.to(torch.float64)
        model.to(torch.float64)
    assert caught.value.cause == "hooks-removed-or-copied"


def test_clipping_what_is_on_meta_is_raised() -> None:
    with torch.device("meta"):
        model = nn.Linear(2, 2)
    with unmeta.strict(), pytest.raises(StrictError, match="2 of the parameters"):
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def test_new_data_of_an_offloaded_parameter_is_raised_and_the_hooks_own_is_not(tmp_path: Path) -> None:
    llama().save_pretrained(tmp_path)
    ids = torch.arange(4)[None]
    with unmeta.strict():
        model = LlamaForCausalLM.from_pretrained(tmp_path, device_map=MAP, offload_folder=str(tmp_path / "o"))
        model(ids)
        model(ids)
    with unmeta.strict():
        model = LlamaForCausalLM.from_pretrained(tmp_path, device_map=MAP, offload_folder=str(tmp_path / "o"))
        model.lm_head.weight.data = model.lm_head.weight.detach() * 2
        with pytest.raises(StrictError, match=r"lm_head\.weight") as caught:
            model(ids)
    assert caught.value.cause == "offloaded-weight-changed"


class Aside(nn.Module):
    """Holds a tensor that is neither parameter nor buffer."""

    def __init__(self, kept: object) -> None:
        super().__init__()
        self.linear, self.kept = nn.Linear(3, 3), kept

    def forward(self, x: torch.Tensor, shift: object = None) -> torch.Tensor:
        kept = self.kept["mask"] if isinstance(self.kept, dict) else self.kept
        return self.linear(x) + (kept if shift is None else shift)


@pytest.mark.parametrize("held", [torch.ones(3, device="meta"), {"mask": torch.ones(3, device="meta")}])
def test_a_plain_attribute_on_meta_keeps_the_watch(held: object) -> None:
    with unmeta.strict(), pytest.raises(MixedOperandsError):
        Aside(held)(torch.ones(2, 3))


def test_an_argument_on_meta_keeps_the_watch() -> None:
    with unmeta.strict(), pytest.raises(MixedOperandsError):
        Aside(torch.ones(3))(torch.ones(2, 3), shift=torch.ones(3, device="meta"))


TABLE = torch.ones(3, 2, device="meta")


def table(device: object) -> torch.Tensor:
    return torch.ones(3, 2, device="meta" if device is None else str(device))


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: object) -> object:
        return function(*args)

    return call


class Direct(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ torch.ones(3, 2, device="meta")


class Global(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ TABLE


class Helped(nn.Module):
    @logged
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.made

    @property
    def made(self) -> torch.Tensor:
        return next(table(None) for _ in range(1))


class Told(nn.Module):
    def __init__(self, device: object) -> None:
        super().__init__()
        self.device = device

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ torch.ones(3, 2, device=self.device)  # type: ignore[call-overload]


@pytest.mark.parametrize("module", [Direct(), Global(), Helped(), Told("meta"), Told(torch.device("meta"))])
def test_what_the_code_of_a_pass_makes_on_meta_is_watched(module: nn.Module) -> None:
    with unmeta.strict(), pytest.raises(MixedOperandsError):
        nn.Sequential(module)(torch.ones(2, 3))


def test_code_that_only_compares_with_meta_is_not_watched() -> None:
    class Compares(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.cpu() if x.device.type == "meta" else x

    assert not may_meet_meta(Compares(), (), {})
    assert not may_meet_meta(Told("cpu"), (), {})


def test_after_a_pass_that_rested_or_failed_the_watch_goes_on() -> None:
    model = Aside(torch.ones(3))
    with unmeta.strict():
        model(torch.ones(2, 3))
        with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
            model(torch.ones(2, 4))
        with pytest.raises(MixedOperandsError), torch.no_grad():
            torch.ones(2, 3) @ torch.ones(3, 2, device="meta")


@pytest.mark.filterwarnings("ignore:Using `torch.compile")
def test_compiled_modules_run_eagerly() -> None:
    graphs = []

    def backend(graph: torch.fx.GraphModule, _: object) -> object:
        graphs.append(graph)
        return graph.forward

    model = torch.compile(nn.Linear(2, 2), backend=backend)
    with unmeta.strict():
        assert model(torch.ones(2)).shape == (2,)
        assert nn.Sequential(model)(torch.ones(2)).shape == (2,)
    assert not graphs


def test_what_a_pass_can_reach() -> None:
    meta, real = torch.ones(1, device="meta"), torch.ones(1)
    module = Aside(real)
    assert not may_meet_meta(module, (real, [1, "a"]), {"cache": {"layers": [real]}, "n": 3})
    assert may_meet_meta(module, (), {"cache": {"layers": [meta]}})
    assert may_meet_meta(module, (), None)
    with torch.device("meta"):
        assert may_meet_meta(module, (), {})
