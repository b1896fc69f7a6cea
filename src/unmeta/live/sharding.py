"""What is found in a model that is split over processes, or was about to be. Needs torch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unmeta.live import changes
from unmeta.live.look import Look, is_sharded, names
from unmeta.live.report import ModelFinding

_WITHOUT_WEIGHTS = frozenset(
    {
        "empty-init-never-loaded",
        "load-state-dict-no-op",
        "missing-keys-left-on-meta",
        "non-persistent-buffer-lost",
        "to-empty-uninitialised",
    }
)
"""Findings that say of any model that it has no weights: what splits it decides how it gets them."""


def sharded(look: Look) -> Iterator[ModelFinding]:
    """Shards on meta; plain tensors where shards should be; a checkpoint that was lost before the split."""
    cause = splitter(look)
    items = [item for item in look.meta if is_sharded(item.tensor)]
    if items:
        yield ModelFinding(
            cause or "tensor-parallel-meta",
            "Shards are still on meta: the model was split without weights, and none were loaded since.",
            tensors=names(items),
            change=changes.fill_shards(look.name),
        )
    plain = [item for item in look.items if _split_by_hook(item.owner) and not is_sharded(item.tensor)]
    if plain:
        yield ModelFinding(
            "tensor-parallel-meta",
            "parallelize_module() has split these modules, and their weights are plain tensors: what was "
            "loaded took the place of the shards.",
            tensors=names(plain),
            change=changes.fill_shards(look.name),
        )
    lost = [key for key in sorted(look.in_vain) if cause == "fsdp-meta-init" and _has(look, key)]
    if lost and not look.meta:
        yield ModelFinding(
            "fsdp-meta-init",
            "The checkpoint was copied into this model while it was on meta, which does nothing; "
            "FullyShardedDataParallel then initialised it anew.",
            tensors=tuple(lost),
            evidence=("torch has warned of each: copying from a non-meta parameter",),
            change=changes.fill_shards(look.name),
        )


def splitter(look: Look) -> str | None:
    """The cause that is met with what has split a model; None where nothing has."""
    kinds = {base.__name__ for module in look.model.modules() for base in type(module).__mro__}
    if "FullyShardedDataParallel" in kinds:
        return "fsdp-meta-init"
    if "FSDPModule" in kinds:
        return "fsdp2-meta-init"
    return "tensor-parallel-meta" if any(is_sharded(item.tensor) for item in look.items) else None


def of_splitting(look: Look, findings: list[ModelFinding]) -> list[ModelFinding]:
    """The findings on one model; where it was split, or was to be, those on missing weights are of that.

    Where an error is asked about, a model without any weights counts as one that was to be split, if the
    program has the function for it at hand and the run is a distributed one.
    """
    cause = look.scene.splitting or splitter(look)
    to_be_split = look.scene.splitters if look.scene.error is not None else ()
    if cause is None and to_be_split and look.meta and len(look.meta) == len(look.items):
        cause = to_be_split[0]
    if look.scene.distributed and look.scene.frugal and look.meta and splitter(look) is None:
        cause = "cpu-ram-efficient-loading"
    if cause is None:
        return findings
    apart = {"non-persistent-buffer-lost"} if cause != "fsdp-meta-init" else set()
    about = [found for found in findings if found.cause in _WITHOUT_WEIGHTS - apart]
    if not about:
        return findings
    if cause == "cpu-ram-efficient-loading":
        says = "This rank has loaded no weights (cpu_ram_efficient_loading): it waits for those of rank 0."
    elif splitter(look) and not look.meta:
        says = "The model is split, and these hold memory that nobody wrote."
    else:
        says = "The model was built on meta and had no weights when it was split, or before it."
    told = ModelFinding(
        cause,
        says,
        tensors=tuple(dict.fromkeys(name for found in about for name in found.tensors)),
        evidence=tuple(line for found in about for line in found.evidence),
        change=changes.split(look.name, cause) if not splitter(look) else changes.fill_shards(look.name),
    )
    return [told, *(found for found in findings if found not in about)]


def _split_by_hook(module: Any) -> bool:
    """Whether `torch.distributed.tensor.distribute_module()` has put its hooks on a module.

    It makes every parameter of the module a DTensor before it does.
    """
    hooks = [*module._forward_pre_hooks.values(), *module._forward_hooks.values()]
    return any(
        str(getattr(hook, "__module__", ""))
        in ("torch.distributed.tensor._api", "torch.distributed._tensor.api")
        and "distribute_module" in getattr(hook, "__qualname__", "")
        for hook in hooks
    )


def _has(look: Look, key: str) -> bool:
    """Whether the model, with the names of its wrappers left out, has a tensor of some name."""
    own = [item.name.replace("_fsdp_wrapped_module.", "") for item in look.items]
    own += [name for item in look.items for name in getattr(item.tensor, "_fqns", ())]  # of a flat parameter
    return any(name == key or name.endswith(f".{key}") for name in own)
