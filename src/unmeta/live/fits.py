"""`fits(model_or_config)`: before loading, what a device map would place where, and by how much it does not
fit.

The plan is accelerate's own (`infer_auto_device_map`, `get_balanced_memory`), asked with the arguments that
`from_pretrained(device_map=...)` gives. Nothing is allocated: a config is built on the meta device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

GIB = 1 << 30
SMALLER = ("bfloat16", "float8_e4m3fn", "int8")
"""Types that are tried where the model does not fit, larger first; the last two want a quantiser."""
OFFLOAD = ("cpu", "disk")


class DoesNotFitError(RuntimeError):
    """Raised by `Fit.raise_if_offloaded()`; `fit` is the plan."""

    def __init__(self, fit: Fit) -> None:
        super().__init__(str(fit))
        self.fit = fit


@dataclass(frozen=True)
class Fit:
    """Where a model would go. Sizes are bytes of parameters and buffers; activations and caches come on top.

    `device_map` is the plan, `sizes` what lies where by it, `room` the memory that it was made for (both by
    device, as text). `offloaded` are the modules that would go to the CPU or the disk although an
    accelerator is there (to the disk where none is); `missing` the bytes by which they do not fit. `smaller`
    is the largest type of at most this size that would fit whole, None without one.
    """

    total: int
    dtype: str
    device_map: Mapping[str, Any]
    sizes: Mapping[str, int]
    room: Mapping[str, int]
    offloaded: tuple[str, ...]
    missing: int
    smaller: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing would be offloaded."""
        return not self.offloaded

    def __bool__(self) -> bool:
        return self.ok

    def raise_if_offloaded(self) -> Fit:
        """Raise DoesNotFitError where a part would be offloaded; return the plan itself where none would."""
        if not self.ok:
            raise DoesNotFitError(self)
        return self

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "ok": self.ok,
            "total": self.total,
            "dtype": self.dtype,
            "device_map": {name: str(device) for name, device in self.device_map.items()},
            "sizes": dict(self.sizes),
            "room": dict(self.room),
            "offloaded": list(self.offloaded),
            "missing": self.missing,
            "smaller": self.smaller,
        }

    def __str__(self) -> str:
        from unmeta.address import entry_url
        from unmeta.live.report import folded

        lines = [f"{size(self.total)} in {self.dtype}"]
        for device, used in self.sizes.items():
            room = f" of {size(self.room[device])}" if device in self.room else ""
            lines.append(f"  {device}: {size(used)}{room}")
        if self.ok:
            return "\n".join(["fits: " + lines[0], *lines[1:]])
        lines[0] = f"does not fit by {size(self.missing)}: {lines[0]}"
        lines += [f"  would be offloaded: {name}" for name in folded(self.offloaded)]
        if self.smaller:
            lines.append(f"  would fit in {self.smaller}")
        lines.append(f"  {entry_url('silent-offload-does-not-fit')}")
        return "\n".join(lines)

    __repr__ = __str__


def size(count: int) -> str:
    """Bytes as people read them."""
    value, unit = float(count), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024 or unit == "TiB":
            break
        value /= 1024
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.2f} {unit}"


def fits(
    model: Any,
    device_map: str | Mapping[str, Any] = "auto",
    max_memory: Mapping[Any, Any] | None = None,
    dtype: Any = None,
) -> Fit:
    """Plan where a model would be placed, without loading it.

    `model` is a module (its weights may be on meta) or a transformers config. `device_map` is a mapping or
    one of `auto`, `balanced`, `balanced_low_0`, `sequential`; `max_memory` as accelerate takes it; `dtype`
    the type to load in, where it is not the model's own.

    Raises ImportError without accelerate, TypeError for an argument that is neither module nor config.
    """
    try:
        from accelerate.utils import modeling
    except ImportError as error:
        raise ImportError("fits() asks accelerate for its plan: pip install accelerate") from error
    import torch

    module = model if isinstance(model, torch.nn.Module) else _empty(model)
    asked = _dtype(dtype)
    own = asked if asked is not None else _own_dtype(module)
    room = dict(modeling.get_max_memory(dict(max_memory) if max_memory else None))
    plan = _plan(module, device_map, max_memory, asked)
    weights = modeling.compute_module_sizes(module, dtype=asked)
    sizes = _sizes(module, plan, asked)
    accelerators = [device for device in room if device not in OFFLOAD and room[device] > 0]
    away = OFFLOAD if accelerators else ("disk",)
    offloaded = tuple(name or "the whole model" for name, device in plan.items() if str(device) in away)
    missing = sum(count for device, count in sizes.items() if device in away)
    smaller = None
    if offloaded and isinstance(device_map, str):
        smaller = next(
            (
                name
                for name in SMALLER
                if (kind := getattr(torch, name, None)) is not None
                and kind.itemsize < own.itemsize
                and not any(str(d) in away for d in _plan(module, device_map, max_memory, kind).values())
            ),
            None,
        )
    return Fit(
        int(weights[""]),
        str(own).removeprefix("torch."),
        plan,
        sizes,
        {str(device): int(count) for device, count in room.items()},
        offloaded,
        missing,
        smaller,
    )


def _empty(config: Any) -> torch.nn.Module:
    """The model of a transformers config, built on meta."""
    import torch

    if not hasattr(config, "to_dict") or not hasattr(config, "model_type"):
        raise TypeError(f"fits() takes a module or a transformers config, not {type(config).__name__}")
    import transformers

    name = next(iter(getattr(config, "architectures", None) or ()), None)
    kind = getattr(transformers, name, None) if name else None
    with torch.device("meta"):
        if kind is not None:
            return kind(config)
        try:
            return transformers.AutoModelForCausalLM.from_config(config)
        except ValueError:
            return transformers.AutoModel.from_config(config)


def _dtype(dtype: Any) -> torch.dtype | None:
    import torch

    if isinstance(dtype, str):
        found = getattr(torch, dtype.removeprefix("torch."), None)
        if not isinstance(found, torch.dtype):
            raise TypeError(f"{dtype!r} is no dtype of torch")
        return found
    if dtype is not None and not isinstance(dtype, torch.dtype):
        raise TypeError(f"dtype is {type(dtype).__name__}, not a torch.dtype")
    return dtype


def _own_dtype(module: torch.nn.Module) -> torch.dtype:
    import torch

    tensors = [p for p in module.parameters() if p.is_floating_point()]
    return max(tensors, key=lambda p: p.numel()).dtype if tensors else torch.get_default_dtype()


def _plan(
    module: torch.nn.Module, device_map: Any, max_memory: Any, dtype: torch.dtype | None
) -> dict[str, Any]:
    from accelerate.utils import modeling

    if not isinstance(device_map, str):
        return dict(device_map)
    unsplit = getattr(module, "_no_split_modules", None)
    unsplit = list(unsplit) if unsplit else None
    limits = dict(max_memory) if max_memory else None
    if hasattr(module, "tie_weights"):
        module.tie_weights()
    if device_map == "sequential":
        limits = modeling.get_max_memory(limits)
    else:
        limits = modeling.get_balanced_memory(
            module,
            max_memory=limits,
            no_split_module_classes=unsplit,
            dtype=dtype,
            low_zero=device_map == "balanced_low_0",
        )
    plan = modeling.infer_auto_device_map(
        module, max_memory=limits, no_split_module_classes=unsplit, dtype=dtype
    )
    return dict(plan)


def _sizes(module: torch.nn.Module, plan: Mapping[str, Any], dtype: torch.dtype | None) -> dict[str, int]:
    """Bytes by device: each tensor counts once, where the most precise entry of the plan sends it."""
    from accelerate.utils import modeling

    tensors = modeling.compute_module_sizes(module, dtype=dtype)
    result: dict[str, int] = {}
    for name, _ in (*module.named_parameters(), *module.named_buffers()):
        entry = max(
            (key for key in plan if key == "" or name == key or name.startswith(f"{key}.")),
            key=len,
            default=None,
        )
        device = str(plan[entry]) if entry is not None else "unplaced"
        result[device] = result.get(device, 0) + int(tensors[name])
    return result
