"""One model with what is known of it, and what several checks ask of it. Needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unmeta.live import changes
from unmeta.live.files import Shapes
from unmeta.live.places import Held, Stored
from unmeta.live.report import ModelFinding
from unmeta.live.scene import Scene

if TYPE_CHECKING:
    import torch

SHOWN_EVIDENCE = 3
_SHARDED = ("FlatParameter", "DTensor")


@dataclass(frozen=True)
class Look:
    """One model with all that is known of it; what the checks read."""

    model: torch.nn.Module
    name: str
    items: tuple[Held, ...]
    shapes: Shapes | None = None
    meta_keys: frozenset[str] = frozenset()
    source: str = ""
    optimizer: Any = None
    hooked: bool = False
    places: Mapping[str, Stored] = field(default_factory=dict)
    in_vain: frozenset[str] = frozenset()
    given: bool = False
    scene: Scene = field(default_factory=Scene)
    since_built: Mapping[str, int] = field(default_factory=dict)

    @property
    def meta(self) -> tuple[Held, ...]:
        """Tensors that are on meta."""
        return tuple(item for item in self.items if item.is_meta)


def written_in_vain(look: Look, name: str) -> bool:
    """Whether counters show that a state dict was copied into a tensor while it was on meta.

    Initialisers of a model's own write there too: into all tensors at once they do not, or no code of the
    program names `load_state_dict`, or they leave the buffers alone.
    """
    since = look.since_built
    if since.get(name, 0) < 1 or hasattr(look.model, "_init_weights"):
        return False
    buffers = [item.name for item in look.meta if item.kind == "buffer" and item.name in since]
    if buffers:
        return any(since[buffer] > 0 for buffer in buffers)
    return "load_state_dict" in look.scene.used and all(count > 0 for count in since.values())


def was_moved(look: Look) -> bool:
    """Whether counters show that a model on meta had other tensors once, and no code tells of new ones."""
    told = {"load_state_dict", "deepcopy", "assign"} & look.scene.used
    return bool(look.since_built) and not told and all(count < 0 for count in look.since_built.values())


def holds_vocabulary(look: Look, item: Held) -> bool:
    """Whether a tensor is that of the input or output embeddings, which are resized on purpose."""
    owners = [
        ask()
        for name in ("get_input_embeddings", "get_output_embeddings")
        if (ask := getattr(look.model, name, None))
    ]
    return "Embedding" in type(item.owner).__name__ or item.owner in owners


def class_names(model: torch.nn.Module) -> set[str]:
    """Names of a model's class and of those that it inherits from."""
    return {base.__name__ for base in type(model).__mro__}


def is_adapter(look: Look, item: Held) -> bool:
    """Whether a tensor belongs to a PEFT adapter: some module above names its part as an adapter layer."""
    path = item.name.split(".")
    module: Any = look.model
    for part in path:
        if type(module).__module__.startswith("peft.") and part in getattr(module, "adapter_layer_names", ()):
            return True
        module = getattr(module, part, None)
    return "lora_A" in path or "lora_B" in path


def warned(look: Look, name: str) -> bool:
    """Whether torch has warned that the tensor was copied in vain."""
    return any(name == key or name.endswith(f".{key}") for key in look.in_vain)


def partner_name(look: Look, name: str, tensor: Any) -> str | None:
    """The tensor that one is tied to by the model's own account, on meta or not; None without one."""
    config = getattr(look.model, "config", None)
    tied: Any = getattr(look.model, "all_tied_weights_keys", None) or getattr(
        look.model, "_tied_weights_keys", None
    )
    if isinstance(tied, Mapping) and getattr(config, "tie_word_embeddings", True):
        for one, other in tied.items():
            if name in (one, other):
                return str(other if name == one else one)
    ask = getattr(look.model, "get_output_embeddings", None)
    if getattr(config, "tie_word_embeddings", False) and callable(ask):
        inputs: Any = look.model.get_input_embeddings
        owners = [ask(), inputs()]
        if any(getattr(part, "weight", None) is tensor for part in owners):
            known = {id(module): path for path, module in look.model.named_modules()}
            own = [f"{known.get(id(part), '')}.weight" for part in owners if part is not None]
            return next((other for other in own if other != name), None)
    return None


def partner(look: Look, item: Held) -> str | None:
    """The real tensor that a meta one is or should be tied to; None without one."""
    real = {held.name for held in look.items if not held.is_meta}
    own = partner_name(look, item.name, item.tensor)
    if own in real:
        return own
    for other in look.items:
        same = tuple(other.tensor.shape) == tuple(item.tensor.shape) and other.leaf == item.leaf == "weight"
        if (
            same
            and not other.is_meta
            and "Embedding" in {type(other.owner).__name__, type(item.owner).__name__}
        ):
            alone = look.shapes is None and len(look.meta) == 1
            absent = look.shapes is not None and not in_checkpoint(look, item.name)
            if (absent or alone) and type(other.owner) is not type(item.owner):
                return other.name
    return None


def in_checkpoint(look: Look, name: str) -> bool:
    """Whether the checkpoint holds a tensor, with the base model's prefix or without."""
    shapes = look.shapes or {}
    prefix = getattr(look.model, "base_model_prefix", "") or ""
    names = {name, f"{prefix}.{name}", name.removeprefix(f"{prefix}.")} if prefix else {name}
    return any(known in shapes for known in names)


def names(items: list[Held]) -> tuple[str, ...]:
    """Full names of some tensors."""
    return tuple(item.name for item in items)


def is_sharded(tensor: Any) -> bool:
    """Whether a tensor is a shard of one, or one piece made of several."""
    return any(base.__name__ in _SHARDED for base in type(tensor).__mro__)


def adapter(look: Look, items: list[Held]) -> ModelFinding:
    """The finding on adapters that are on meta."""
    return ModelFinding(
        "adapter-left-on-meta",
        "The adapter itself is on meta: it was created where its base layer's offloaded weight is, and its "
        "values were never stored.",
        tensors=names(items),
        change=changes.adapter(look.name),
    )


def written_by_conversion(look: Look, missing: list[str]) -> bool:
    """Whether exactly these names are what transformers 5 makes of other names in the files of this class.

    `transformers.conversion_mapping` holds, by class or model type, patterns of names in files and of the
    names that `from_pretrained()` makes of them.
    """
    import re
    import sys

    mapping = sys.modules.get("transformers.conversion_mapping")
    kind = getattr(getattr(look.model, "config", None), "model_type", None)
    if mapping is None or kind is None or not missing:
        return False
    rules = mapping.get_checkpoint_conversion_mapping(type(look.model).__name__)
    rules = rules or mapping.get_checkpoint_conversion_mapping(kind) or []
    made = set()
    for rule in rules:
        for pattern in getattr(rule, "target_patterns", ()):
            pieces = re.split(r"\\\d|[\\^$*+?()\[\]{}|]", pattern.replace("\\.", "."))
            made.add(max(pieces, key=len))
    made = {piece for piece in made if len(piece) > 3}
    lost = set(missing)
    others = [item.name for item in look.items if item.name not in lost and not item.is_meta]

    def fits(name: str) -> bool:
        return any(piece in name for piece in made)

    return all(fits(name) for name in missing) and not any(fits(name) for name in others)
