"""Load a checkpoint folder as its config says, and look at what came of it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unmeta.live.report import Report


class LoadError(ValueError):
    """A folder that is no checkpoint, or that cannot be loaded; says why."""


def looked_at(path: str, device_map: str | None = None) -> Report:
    """Load `path` (transformers or diffusers) and look at the model.

    New memory is filled while it loads, so that parameters which the checkpoint leaves unwritten are found
    whatever they hold. Code of the folder itself (`trust_remote_code`) is not run. Raises LoadError,
    ImportError where the library is not installed.
    """
    from unmeta.live.doctor import examine
    from unmeta.live.strict import filled

    with filled():
        model = _load(path, device_map)
        # Inside, so that what doctor allocates to look at a tensor is no part of the model.
        report = examine(model, "model", path if not hasattr(model, "components") else None)
    return replace(report, subject=f"{os.path.basename(os.path.normpath(path))} ({type(model).__name__})")


def _load(path: str, device_map: str | None) -> Any:
    more = {"device_map": device_map} if device_map else {}
    try:
        if os.path.isfile(os.path.join(path, "model_index.json")):
            import diffusers

            return diffusers.DiffusionPipeline.from_pretrained(path, **more)
        return _class(path).from_pretrained(path, **more)
    except (OSError, ValueError, RuntimeError, NotImplementedError, KeyError, TypeError) as error:
        first = next(iter(str(error).splitlines()), "")
        raise LoadError(f"{path} cannot be loaded: {type(error).__name__}: {first}") from error


def _class(path: str) -> Any:
    """The class that the config names, or the base model of its type."""
    try:
        with open(os.path.join(path, "config.json"), encoding="utf-8") as file:
            config = json.load(file)
    except (OSError, ValueError) as error:
        raise LoadError(f"{path} holds neither a readable config.json nor a model_index.json") from error
    if "_class_name" in config:
        import diffusers

        return getattr(diffusers, config["_class_name"])
    import transformers

    for name in config.get("architectures") or ():
        if hasattr(transformers, name):
            return getattr(transformers, name)
    return transformers.AutoModel
