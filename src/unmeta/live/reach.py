"""Whether a forward pass can meet a meta tensor: a look at what the module and its arguments hold.

Without one no operator can mix meta and real tensors, and watching each operator would only cost. The look is
one walk over the modules, their parameters, buffers and plain attributes, and over the arguments; objects are
followed three deep. What the code of `forward` may make by itself is looked up once for each class, in
`live.made`.
"""

from __future__ import annotations

import types
from collections import deque
from typing import TYPE_CHECKING, Any

from unmeta.live.made import made_by

if TYPE_CHECKING:
    import torch

DEEP = 3
MANY = 20_000
"""Of more objects than this the answer is yes: to look would cost what the look should save."""
LONG = 256

_PLAIN, _TENSOR, _LIST, _DICT, _MODULE, _OBJECT, _NAME = range(7)
_kinds: dict[type, int] = {}


def may_meet_meta(module: torch.nn.Module, inputs: Any, named: Any) -> bool:
    """Whether the module or its arguments hold a meta tensor, or tensors may be made on meta.

    `named` are the keyword arguments; None where they are not known, and the answer is yes.
    """
    if named is None or _default_is_meta():
        return True
    import torch

    meta = ("meta", torch.device("meta"))
    kinds, seen = _kinds, set()
    todo: list[tuple[Any, int]] = [((module,), 0), (inputs, 0), (named, 0)]
    while todo:
        held, depth = todo.pop()
        for value in dict.values(held) if isinstance(held, dict) else held:
            kind = kinds.get(type(value))
            if kind is None:
                kind = kinds[type(value)] = _kind(type(value))
            if kind == _PLAIN:
                continue
            if kind == _TENSOR:
                if value.is_meta:
                    return True
                continue
            if kind == _NAME:
                if value in meta:
                    return True
                continue
            if kind in (_LIST, _DICT):
                if value and not _is_data(value):
                    todo.append((value, depth))
                continue
            if id(value) in seen:
                continue
            seen.add(id(value))
            if kind == _MODULE:
                if "_orig_mod" in value._modules or vars(value).get("_compiled_call_impl") is not None:
                    return True  # Dynamo would trace through our hooks
                made = made_by(type(value))
                if made is None or any(_is_meta(scope.get(name)) for scope, name in made):
                    return True
                todo.append((vars(value), 0))
            elif depth < DEEP:
                todo.append((vars(value), depth + 1))
        if len(seen) + len(todo) > MANY:
            return True
    return False


def _default_is_meta() -> bool:
    import torch

    if hasattr(torch, "get_default_device"):  # since torch 2.3
        return bool(torch.get_default_device().type == "meta")
    import torch.utils._device

    default = getattr(torch.utils._device, "CURRENT_DEVICE", None)
    return default is not None and default.type == "meta"


def _kind(kind: type) -> int:
    import torch

    if issubclass(kind, torch.Tensor):
        return _TENSOR
    if issubclass(kind, (str, torch.device)):
        return _NAME
    if issubclass(kind, torch.nn.Module):
        return _MODULE
    if issubclass(kind, dict):
        return _DICT
    if issubclass(kind, (list, tuple, set, frozenset, deque)):
        return _LIST
    plain = (bytes, int, float, type, types.ModuleType, types.FunctionType, types.MethodType)
    if issubclass(kind, plain) or not kind.__dictoffset__:
        return _PLAIN
    return _OBJECT


def _is_data(values: Any) -> bool:
    """Whether a long container holds numbers or words, told by its first member."""
    if len(values) < LONG:
        return False
    first = next(iter(values.values() if isinstance(values, dict) else values))
    return _kinds.get(type(first), _kind(type(first))) in (_PLAIN, _NAME)


def _is_meta(value: Any) -> bool:
    import torch

    return isinstance(value, torch.Tensor) and value.is_meta
