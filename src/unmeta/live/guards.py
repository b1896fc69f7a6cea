"""Functions that `strict()` wraps while it is entered: loads, saves, steps, and those of `quiet`.

Python functions are process-wide, so they are replaced once for all threads, counted, and put back by the
last one out; each asks whether its own thread is watched. Operators are watched elsewhere (`live.strict`).
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

PRETRAINED = (
    ("transformers.modeling_utils", "PreTrainedModel"),
    ("diffusers.models.modeling_utils", "ModelMixin"),
)
Check = Callable[..., None]


class Guards:
    """Replace functions by ones that check around them; `watched` says whether the thread is one of ours."""

    def __init__(
        self,
        watched: Callable[[], bool],
        loaded: Check,
        into: Check,
        saved: Check,
        step: Check,
        more: Callable[[], Iterator[Any]],
    ):
        self._lock = threading.Lock()
        self._depth = 0
        self._undo: list[Callable[[], None]] = []
        self._watched = watched
        self._loaded, self._into, self._saved, self._step = loaded, into, saved, step
        self._more = more

    def __enter__(self) -> None:
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._undo = list(self._replaced())

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                while self._undo:
                    self._undo.pop()()

    def _replaced(self) -> Iterator[Callable[[], None]]:
        import torch
        from torch.optim.optimizer import register_optimizer_step_pre_hook

        yield from self._load_state_dict(torch.nn.Module)
        yield from self._save(torch)
        for module_name, name in PRETRAINED:
            owner = getattr(sys.modules.get(module_name), name, None)
            if owner is not None:
                yield from self._from_pretrained(owner)

        def before_step(optimizer: Any, _args: Any, _kwargs: Any) -> None:
            if self._watched():
                self._step(optimizer)

        yield register_optimizer_step_pre_hook(before_step).remove
        for owner, name, ours, original in self._more():
            setattr(owner, name, ours)
            yield functools.partial(_put_back, owner, name, ours, original)

    def _load_state_dict(self, owner: Any) -> Iterator[Callable[[], None]]:
        original = owner.load_state_dict

        @functools.wraps(original)
        def load_state_dict(module: Any, state_dict: Any, *args: Any, **kwargs: Any) -> Any:
            if not self._watched():
                return original(module, state_dict, *args, **kwargs)
            given, before = set(state_dict), _meta_values(module, state_dict)
            result = original(module, state_dict, *args, **kwargs)
            self._into(module, given, before)
            return result

        owner.load_state_dict = load_state_dict
        yield lambda: _put_back(owner, "load_state_dict", load_state_dict, original)

    def _from_pretrained(self, owner: Any) -> Iterator[Callable[[], None]]:
        descriptor = owner.__dict__["from_pretrained"]
        original = descriptor.__func__

        @functools.wraps(original)
        def from_pretrained(cls: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(cls, *args, **kwargs)
            if self._watched():
                self._loaded(result[0] if isinstance(result, tuple) else result)
            return result

        replacement = classmethod(from_pretrained)
        owner.from_pretrained = replacement
        yield lambda: _put_back(owner, "from_pretrained", replacement, descriptor)

    def _save(self, torch: Any) -> Iterator[Callable[[], None]]:
        original = torch.save

        @functools.wraps(original)
        def save(obj: Any, *args: Any, **kwargs: Any) -> Any:
            if self._watched():
                self._saved(obj)
            return original(obj, *args, **kwargs)

        for owner in (torch, torch.serialization):
            owner.save = save
        for owner in (torch, torch.serialization):
            yield functools.partial(_put_back, owner, "save", save, original)


def _put_back(owner: Any, name: str, ours: Any, original: Any) -> None:
    """Restore a function, unless somebody replaced ours since."""
    if vars(owner).get(name) is ours:
        setattr(owner, name, original)


def _meta_values(module: torch.nn.Module, state_dict: Any) -> set[str]:
    """Names of real tensors of a module for which a state dict holds meta ones."""
    import torch

    found = {key for key, value in state_dict.items() if isinstance(value, torch.Tensor) and value.is_meta}
    if not found:
        return set()
    own = (*module.named_parameters(), *module.named_buffers())
    return {name for name, tensor in own if name in found and not tensor.is_meta}
