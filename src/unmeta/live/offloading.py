"""What is found in a model whose weights accelerate's hooks bring in. Needs torch."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unmeta.live import changes
from unmeta.live.look import (
    SHOWN_EVIDENCE,
    Look,
    adapter,
    class_names,
    holds_vocabulary,
    in_checkpoint,
    is_adapter,
    is_sharded,
    names,
    partner_name,
    warned,
    written_by_conversion,
)
from unmeta.live.places import (
    Held,
    execution_device,
    expected,
    foreign_parts,
    modules_of,
    sharing,
    stored,
)
from unmeta.live.report import ModelFinding
from unmeta.live.values import differs

PEFT = "base_model.model."
COMPARED = 4
"""Resident weights that are compared with the file that the hooks read."""


@dataclass(frozen=True)
class _Lost:
    """A tensor that a hook is going to look for in vain; `tensor` is on meta or not."""

    name: str
    tensor: Any
    detail: str
    item: Held | None = None


def offloaded(look: Look) -> Iterator[ModelFinding]:
    """Tensors that a hook brings in: fine, unless the hook would find nothing or something else."""
    if not look.hooked:
        return
    fine, lost, changed = [], [], []
    for item in look.meta:
        place = look.places.get(item.name)
        if place is None or is_sharded(item.tensor):
            continue
        if place.place is None:
            lost.append(_Lost(item.name, item.tensor, place.detail, item))
        elif place.shape is not None and place.shape != tuple(item.tensor.shape):
            changed.append(item)
        else:
            fine.append(item)
    for name, tensor, hook, key in expected(modules_of(look.model)):
        if name not in look.places and (place := stored(hook, key)).place is None:
            lost.append(_Lost(name, tensor, place.detail))
    if look.scene.went_through("accelerate.hooks", "detach_hook") and (fine or lost):
        yield _taken_off(look, [*names(fine), *(one.name for one in lost)])
    if lost:
        yield _not_found(look, lost)
    if changed:
        yield _other_shape(look, changed)
    adapters = [item for item in fine if is_adapter(look, item)]
    if adapters and any("weights_map" in look.places[item.name].detail for item in adapters):
        yield adapter(look, adapters)
    in_vain = [item for item in fine if warned(look, item.name)]
    if in_vain:
        yield _loaded_in_vain(look, in_vain)
    if fine:
        yield from _suspected(look, fine)
        yield _benign(look, fine)


def copied(look: Look) -> Iterator[ModelFinding]:
    """A copy of a dispatched model whose methods are the original's; hooks that are being copied."""
    found = tuple(foreign_parts(look.model))
    copying = look.hooked and (
        look.scene.went_through("torch.serialization", "save", "_save")
        or look.scene.went_through("copy", "deepcopy")
    )
    if found or copying:
        yield ModelFinding(
            "hooks-removed-or-copied",
            "This is a copy of a dispatched model: its methods still act on the original."
            if found
            else "A model with hooks is being copied or pickled as a whole: its hooks do not go along.",
            tensors=found,
            evidence=("their functions keep another module than this one",) if found else (),
            change=changes.copy_without_hooks(look.name),
        )


def written_over(look: Look) -> Iterator[ModelFinding]:
    """A model whose own checkpoint holds the names that PEFT gives its parts, and not its own."""
    shapes = look.shapes or {}
    if look.places or "PeftModel" in class_names(look.model):
        return
    renamed = [item for item in look.items if item.name not in shapes and _name_of_peft(item) in shapes]
    if renamed:
        yield ModelFinding(
            "peft-overwrites-base-checkpoint",
            "The checkpoint holds these under the names of a PEFT model, which wrote over it: loading gives "
            "them new values.",
            tensors=names(renamed),
            evidence=(f"{look.source} has {_name_of_peft(renamed[0])!r}, not {renamed[0].name!r}",),
            change=changes.base_again(look.name),
        )


def _name_of_peft(item: Held) -> str:
    return f"{PEFT}{item.name}"


def _taken_off(look: Look, tensors: list[str]) -> ModelFinding:
    return ModelFinding(
        "hooks-removed-or-copied",
        "The hooks were being taken off, which brings each weight back first, and that failed on the way.",
        tensors=tuple(tensors),
        evidence=("the error went through detach_hook() of accelerate",),
        change=changes.reload_whole(look.name),
    )


def _not_found(look: Look, lost: list[_Lost]) -> ModelFinding:
    items = [one.item for one in lost if one.item is not None]
    if items and len(items) == len(lost) and all(is_adapter(look, item) for item in items):
        return adapter(look, items)
    cause, says, change = _why_not_found(look, lost)
    return ModelFinding(
        cause,
        f"The offload hook will not find these weights: {says}.",
        tensors=tuple(one.name for one in lost),
        evidence=tuple(dict.fromkeys(one.detail for one in lost))[:SHOWN_EVIDENCE],
        change=change,
    )


def _why_not_found(look: Look, lost: list[_Lost]) -> tuple[str, str, changes.Lines]:
    again = changes.reload_whole(look.name)
    details = [one.detail for one in lost]
    peft = "PeftModel" in class_names(look.model)
    base = changes.base_again(look.name)
    if peft and any("holds no" in detail for detail in details):
        return "peft-overwrites-base-checkpoint", "the checkpoint file no longer holds them", base
    if any(f"{PEFT}{one.name}" in (look.shapes or {}) for one in lost):
        says = f"{look.source} holds the names of a PEFT model, which wrote over it"
        return "peft-overwrites-base-checkpoint", says, base
    if any(detail.endswith("is gone") or "cannot be read" in detail for detail in details):
        return "offload-folder-reused", "the file that held them is gone", again
    if peft:
        return "peft-offload-key-mismatch", "it looks for another name", changes.adapter(look.name)
    if any("meta tensor" in detail for detail in details):
        says = "it was given meta tensors"
        return "dispatch-model-without-weights", says, changes.load_and_dispatch(look.name)
    pairs = [_tied_to(look, one) for one in lost]
    if all(pairs):
        tied = [*(one.name for one in lost), *(pair for pair in pairs if pair)]
        says = "they are tied to tensors that are stored under another name, in another place"
        return "tied-params-split", says, changes.same_place(look.name, tied)
    if written_by_conversion(look, [one.name for one in lost]):
        says = "the file has them under other names, which only from_pretrained() converts"
        return "converted-checkpoint-names", says, changes.converted(look.name)
    if look.shapes is not None and not any(in_checkpoint(look, one.name) for one in lost):
        return "mismatched-or-new-head", "the checkpoint does not hold them either", again
    return "offload-folder-reused", "the offload folder or index has no such name", again


def _tied_to(look: Look, one: _Lost) -> str | None:
    """Another name of the same tensor, or the name that it is tied to by the model's own account."""
    for name, tensor in look.model.named_parameters(remove_duplicate=False):
        if tensor is one.tensor and name != one.name:
            return str(name)
    return partner_name(look, one.name, one.tensor)


def _other_shape(look: Look, changed: list[Held]) -> ModelFinding:
    own = all(name in dict(look.model.named_parameters()) for name in names(changed))
    resized = own and all(holds_vocabulary(look, item) for item in changed)
    return ModelFinding(
        "offloaded-weight-changed" if resized else "offload-folder-reused",
        "The stored weight has another shape than the module's: the next forward pass fails on it.",
        tensors=names(changed),
        evidence=tuple(
            f"{item.name} is {tuple(item.tensor.shape)}; stored {look.places[item.name].shape} "
            f"({look.places[item.name].detail})"
            for item in changed[:SHOWN_EVIDENCE]
        ),
        change=changes.reload_whole(look.name),
    )


def _loaded_in_vain(look: Look, items: list[Held]) -> ModelFinding:
    return ModelFinding(
        "offloaded-weight-changed",
        "load_state_dict() copied these into meta tensors, which does nothing: the hooks bring in what they "
        "stored before.",
        tensors=names(items),
        evidence=("torch has warned of each: copying from a non-meta parameter",),
        change=changes.load_then_offload(look.name, f"dispatch_model({look.name}, device_map)"),
    )


def _suspected(look: Look, fine: list[Held]) -> Iterator[ModelFinding]:
    """What hooks find, and what may be other weights than the reader thinks."""
    overwritten = [item for item in fine if _wrote_over(look.places[item.name].file, _key(look, item))]
    if overwritten:
        yield ModelFinding(
            "peft-overwrites-base-checkpoint",
            "PEFT wrote the offloaded part under its own names: into the base checkpoint, or into a copy of "
            "its path below the working folder.",
            tensors=names(overwritten),
            evidence=tuple(
                dict.fromkeys(look.places[item.name].detail for item in overwritten[:SHOWN_EVIDENCE])
            ),
            change=changes.base_again(look.name),
        )
    shared = sharing(modules_of(look.model))
    if shared is not None:
        folder, keys = shared
        yield ModelFinding(
            "offload-folder-reused",
            "Another model of this process reads the same offload files: only the one that wrote them last "
            "computes with its own weights.",
            level="note",
            tensors=tuple(sorted(keys)),
            evidence=(f"both read {os.path.basename(folder)}/",),
            change=changes.apart(look.name),
        )
    stale = _loaded_since(look, fine)
    if stale:
        yield ModelFinding(
            "offloaded-weight-changed",
            "The resident weights are others than in the checkpoint that the hooks read: what was loaded or "
            "trained since has not reached the offloaded ones.",
            level="note",
            tensors=names(fine),
            evidence=tuple(f"{name} differs from the file" for name in stale[:SHOWN_EVIDENCE]),
            change=changes.load_then_offload(look.name, f"dispatch_model({look.name}, device_map)"),
        )


def _key(look: Look, item: Held) -> str:
    return look.places[item.name].key or item.name


def _wrote_over(file: str | None, key: str) -> bool:
    """Whether a file is one that `PeftModel._update_offload()` wrote where it was not meant to.

    peft 0.21.2 writes the file anew under the path of the base checkpoint; only in a hub cache, where a part
    of the path holds "--", the new path is another. An absolute path loses its first slash on the way.
    """
    if file is None or not key.startswith(PEFT) or "--" in file:
        return False
    beside = os.path.join(os.path.dirname(file), "config.json")
    copied = not os.path.isabs(file) and os.path.isfile(os.sep + file)
    return copied or os.path.isfile(beside)


def _loaded_since(look: Look, fine: list[Held]) -> list[str]:
    """Resident weights that are not those of the file from which hooks read the others; none in doubt."""
    files = {look.places[item.name].file for item in fine}
    file = files.pop() if len(files) == 1 else None
    if file is None or "PeftModel" in class_names(look.model):
        return []
    real = [
        item for item in look.items if not item.is_meta and item.kind == "parameter" and item.tensor.dim() > 1
    ]
    told = differs(file, {item.name: item.tensor for item in real[:COMPARED]})
    return [name for name, other in told.items() if other] if told and all(told.values()) else []


def _benign(look: Look, fine: list[Held]) -> ModelFinding:
    where: dict[str, int] = {}
    for item in fine:
        place = look.places[item.name]
        where[place.place or ""] = where.get(place.place or "", 0) + 1
    told = " and ".join(
        f"{count} {'in CPU memory' if key == 'cpu' else 'on disk'}" for key, count in where.items()
    )
    return ModelFinding(
        "offload-warning-benign",
        "Offloaded by accelerate: a hook brings each weight in for its own forward pass. Call the model "
        "as usual; do not move it, read these weights or save its state_dict().",
        level="note",
        tensors=names(fine),
        evidence=(told, *(f"{item.name}: {look.places[item.name].detail}" for item in fine[:1])),
    )


def device(look: Look) -> Iterator[ModelFinding]:
    """A first parameter on meta, by which `model.device` says where inputs should go."""
    if not look.hooked:
        return
    first = next((item for item in look.items if item.kind == "parameter"), None)
    where = execution_device(look.model)
    if first is not None and first.is_meta and where is not None and first.name in look.places:
        yield ModelFinding(
            "inputs-sent-to-meta",
            f"{look.name}.device is meta: the first parameter is offloaded. The hooks compute on {where}.",
            level="note",
            tensors=(first.name,),
            change=(f'inputs = inputs.to("{where}")  # not {look.name}.device',),
        )


def mapped_away(look: Look, item: Held) -> bool:
    """Whether the device map sends the tensor to the CPU or the disk, though no hook brings it in."""
    placed = getattr(look.model, "hf_device_map", None)
    if not isinstance(placed, Mapping):
        return False
    name = item.name.removeprefix(PEFT).replace(".base_layer.", ".")
    best = max(
        (key for key in placed if key == "" or _below(name, key) or _below(item.name, key)),
        key=len,
        default=None,
    )
    return best is not None and str(placed[best]) in ("cpu", "disk", "meta")


def _below(name: str, key: str) -> bool:
    return name == key or name.startswith(f"{key}.")


def stopped(look: Look, items: list[Held]) -> ModelFinding:
    """Offloaded weights of a base model whose hooks were taken off, and not put back by PEFT."""
    return ModelFinding(
        "peft-offload-key-mismatch",
        "PEFT took the hooks off the offloaded base and stopped before it had put on new ones: the names in "
        "the offload index and those of the base do not fit.",
        tensors=names(items),
        evidence=(f"the device map sends them away, no module of {look.name} has an offload hook for them",),
        change=changes.adapter(look.name),
    )
