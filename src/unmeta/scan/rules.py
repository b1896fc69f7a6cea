"""Findings of the static look: what is said, and how a file is told to leave one out."""

from __future__ import annotations

import re
from dataclasses import dataclass

IGNORE = re.compile(r"#\s*unmeta:\s*ignore(?:\[([\w\-, ]+)\])?")

SAYS = {
    "concurrent-from-pretrained": "from_pretrained() in threads without a lock",
    "default-device-leak": "the default device is set to meta and not put back",
    "diffusers-offload": "a pipeline with sequential offload is moved",
    "dispatch-model-without-weights": "dispatch_model() on a model that was built on meta and not loaded",
    "init-reads-values-on-meta": "__init__ reads values of a tensor that from_pretrained() puts on meta",
    "load-state-dict-no-op": "load_state_dict() without assign=True into a model on meta copies nothing",
    "module-to-on-meta": "a model built on meta is moved before it was loaded",
    "moved-to-meta-to-free": "a module that was moved to meta is moved back: its weights are gone",
    "nested-from-pretrained": "from_pretrained() in the __init__ of a model that from_pretrained() builds",
    "non-persistent-buffer-lost": "a computed buffer outside the state dict that nothing sets after loading",
    "optimizer-before-materialise": "the optimizer is built before the parameters are real",
    "pipeline-device-conflict": "pipeline() gets a device for a model with a device_map",
    "save-offloaded-model": "the state dict of a model that may be offloaded is saved",
    "to-after-dispatch": "a model loaded with a device_map is moved",
    "to-empty-uninitialised": "to_empty() and nothing that loads or initialises after it",
    "torch-load-to-meta": "a checkpoint read onto meta is loaded into a model",
}
"""The rules by the id of the cause that explains each."""


@dataclass(frozen=True, order=True)
class Found:
    """A place in a file. Lines and columns count from 1."""

    path: str
    line: int
    column: int
    cause: str
    says: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.cause}: {self.says}"


def ignored(lines: list[str], found: Found) -> bool:
    """Whether the line of a finding says `# unmeta: ignore` or names its cause there."""
    line = lines[found.line - 1] if found.line <= len(lines) else ""
    match = IGNORE.search(line)
    if match is None:
        return False
    causes = match.group(1)
    return causes is None or found.cause in {cause.strip() for cause in causes.split(",")}
