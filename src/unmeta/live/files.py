"""Names and shapes in a checkpoint, read from its headers only. Needs torch for .bin files alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

Shapes = dict[str, tuple[int, ...]]
MAX_HEADER = 100_000_000  # bytes; safetensors itself refuses a longer one
_SINGLE = (
    "model.safetensors",
    "pytorch_model.bin",
    "diffusion_pytorch_model.safetensors",
    "adapter_model.safetensors",
)
_INDEX = ("model.safetensors.index.json", "pytorch_model.bin.index.json")


class FileHeaderError(ValueError):
    """A file that is no checkpoint, or cannot be read; says which and why."""


def checkpoint_shapes(checkpoint: Any) -> tuple[Shapes, frozenset[str]]:
    """Shapes by name of a checkpoint, and the names that are on the meta device.

    `checkpoint` is a state dict, a file (safetensors, an index of shards, a file of `torch.save`) or a folder
    as `save_pretrained()` writes it. Raises FileHeaderError.
    """
    if isinstance(checkpoint, Mapping):
        shapes = {name: tuple(value.shape) for name, value in checkpoint.items() if hasattr(value, "shape")}
        meta = {name for name in shapes if getattr(checkpoint[name], "is_meta", False)}
        return shapes, frozenset(meta)
    path = os.fspath(checkpoint)
    if os.path.isdir(path):
        return _of_folder(path), frozenset()
    return _of_file(path)


def _of_folder(path: str) -> Shapes:
    for name in _INDEX:
        if os.path.isfile(os.path.join(path, name)):
            return _of_index(os.path.join(path, name))
    for name in _SINGLE:
        if os.path.isfile(os.path.join(path, name)):
            return _of_file(os.path.join(path, name))[0]
    raise FileHeaderError(
        f"{os.path.basename(path)} holds no checkpoint: none of {', '.join(_SINGLE + _INDEX)}"
    )


def _of_index(path: str) -> Shapes:
    try:
        with open(path, encoding="utf-8") as file:
            files = sorted(set(json.load(file)["weight_map"].values()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileHeaderError(f"{os.path.basename(path)} is no index of shards: {error}") from error
    shapes: Shapes = {}
    for name in files:
        shapes |= _of_file(os.path.join(os.path.dirname(path), name))[0]
    return shapes


def _of_file(path: str) -> tuple[Shapes, frozenset[str]]:
    if path.endswith(".json"):
        return _of_index(path), frozenset()
    if path.endswith(".safetensors"):
        return safetensors_header(path), frozenset()
    import torch

    try:
        state = torch.load(path, map_location="meta", mmap=True, weights_only=True)
    except Exception as error:  # torch.load raises a dozen kinds for a file that is none of its own
        raise FileHeaderError(f"{os.path.basename(path)} cannot be read: {error}") from error
    inner = state.get("state_dict", state.get("model", state)) if isinstance(state, Mapping) else {}
    return {name: tuple(value.shape) for name, value in inner.items() if hasattr(value, "shape")}, frozenset()


def safetensors_header(path: Any) -> Shapes:
    """Shapes by name of a safetensors file: eight bytes of length, then JSON. Raises FileHeaderError."""
    name = os.path.basename(os.fspath(path))
    try:
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 0 < length <= MAX_HEADER:
                raise FileHeaderError(f"{name} is no safetensors file")
            header = json.loads(file.read(length))
    except OSError as error:
        raise FileHeaderError(f"{name} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise FileHeaderError(f"{name} is no safetensors file") from error
    return {key: tuple(value["shape"]) for key, value in header.items() if key != "__metadata__"}
