"""What version counters tell of tensors on meta: torch counts in-place writes there too. Needs torch.

A layer that is built on meta writes into its tensors in `reset_parameters()`. One that has a higher count was
written into since, for nothing. One with a lower count is another tensor than the layer was built with:
it was moved to meta, or put in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

    from unmeta.live.places import Held

Key = tuple[type, frozenset[str]]


def since_built(items: Iterable[Held]) -> Mapping[str, int]:
    """For meta tensors of torch's own layers: how many writes more than building the layer makes, by name.

    Layers without a `reset_parameters()` of their own are left out.
    """
    building: dict[Key, Mapping[str, int]] = {}
    found = {}
    for item in items:
        owner = item.owner
        key = type(owner), frozenset((*owner._parameters, *owner._buffers))
        if key not in building:
            building[key] = _writes_of_building(owner)
        usual, now = building[key].get(item.leaf), _version(item.tensor)
        if item.is_meta and usual and now is not None:
            found[item.name] = now - usual
    return found


def _version(tensor: Any) -> int | None:
    try:
        return int(tensor._version)
    except (RuntimeError, AttributeError):  # made under inference_mode(), which does not count
        return None


def _writes_of_building(module: torch.nn.Module) -> Mapping[str, int]:
    """How often `reset_parameters()` writes into each tensor of a layer: it is run on an empty copy."""
    import torch
    from torch.utils._python_dispatch import _disable_current_modes

    kind = type(module)
    reset: Any = getattr(module, "reset_parameters", None)
    if not kind.__module__.startswith("torch.nn.modules.") or module._modules or reset is None:
        return {}
    twin: Any = kind.__new__(kind)  # type: ignore[call-overload]
    try:
        with _disable_current_modes(), torch.no_grad():
            parameters = {
                name: value if value is None else torch.nn.Parameter(_empty(value), requires_grad=False)
                for name, value in module._parameters.items()
            }
            buffers = {
                name: value if value is None else _empty(value) for name, value in module._buffers.items()
            }
            vars(twin).update(vars(module), _parameters=parameters, _buffers=buffers)
            kind.reset_parameters(twin)
    except Exception:  # a layer that cannot be reset as it is now
        return {}
    counts = {**parameters, **buffers}
    return {name: value._version for name, value in counts.items() if value is not None}


def _empty(tensor: torch.Tensor) -> torch.Tensor:
    import torch

    return torch.empty(tensor.shape, dtype=tensor.dtype, device="meta")
