"""How the site says things: version ranges, needs, fields and addresses in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from unmeta.kb.model import Area, Kind, Needs, OperationOutcome, Wording

KINDS: Mapping[Kind, str] = {
    Kind.EXCEPTION: "exception",
    Kind.WARNING: "warning",
    Kind.LOG: "log line",
    Kind.SILENT: "silent",
}
KIND_SECTIONS: Mapping[Kind, str] = {
    Kind.EXCEPTION: "Exceptions",
    Kind.WARNING: "Warnings",
    Kind.LOG: "Log lines",
    Kind.SILENT: "Nothing printed",
}
OUTCOMES: Mapping[OperationOutcome, tuple[str, str]] = {
    OperationOutcome.RAISES: ("✗", "raises"),
    OperationOutcome.STAYS_META: ("◌", "stays on meta"),
    OperationOutcome.GARBAGE: ("⚠", "returns uninitialised memory"),
    OperationOutcome.NOTHING: ("∅", "does nothing, silently"),
    OperationOutcome.WORKS: ("✓", "works"),
}
GROUPS: Mapping[str, str] = {
    "moves": "Moving",
    "reads": "Reading values",
    "arithmetic": "Arithmetic",
    "linear": "Linear algebra",
    "embedding": "Embedding",
    "normalisation": "Normalisation",
    "convolution": "Convolution",
    "attention": "Attention",
    "indexing": "Indexing",
    "joining": "Joining",
    "in-place": "In-place writes",
    "initialisation": "Initialisation",
    "optimiser": "Optimisers",
    "saving": "Saving and loading",
    "autocast": "Autocast",
    "compile": "Compiling",
    "contexts": "Contexts",
    "metadata": "Metadata",
}
_SIGNS = {">=": "≥ ", "<=": "≤ ", "==": "", "!=": "not ", ">": "> ", "<": "< ", "~=": "≈ "}


def versions(ranges: Mapping[str, str]) -> str:
    """Version ranges in words: `torch ≥ 2.1, < 2.4 and transformers 4.57`."""
    return " and ".join(f"{package} {_range(wanted)}" for package, wanted in ranges.items())


FIELDS: Mapping[Area, str] = {
    Area.TORCH: "You build, load or move on meta yourself",
    Area.ACCELERATE: "device_map, offload and accelerate",
    Area.TRANSFORMERS: "from_pretrained() and the code of a model",
    Area.PEFT: "Adapters",
    Area.DISTRIBUTED: "Several processes",
    Area.DOWNSTREAM: "Diffusers, pipelines and applications",
}
"""What the causes of a field have in common, for a reader who looks for theirs."""


def _range(wanted: str) -> str:
    parts: list[str] = []
    left_out: list[str] = []
    for part in wanted.split(","):
        found = re.match(r"\s*(>=|<=|==|!=|~=|>|<)\s*(\S+)", part)
        if found and found[1] == "!=":
            left_out.append(found[2])
        else:
            parts.append(_SIGNS[found[1]] + found[2] if found else part.strip())
    parts += [f"not {name}" for name in _runs(left_out)]
    return ", ".join(parts).replace(".*", ".x")


def _runs(releases: Sequence[str]) -> list[str]:
    """Releases with neighbours together: `0.11.*`, `0.12.*` and `0.13.*` as `0.11.* to 0.13.*`."""
    found: list[list[str]] = []
    for name in releases:
        number = re.fullmatch(r"(\d+)\.(\d+)\.\*", name)
        before = f"{number[1]}.{int(number[2]) - 1}.*" if number else ""
        if found and found[-1][-1] == before:
            found[-1].append(name)
        else:
            found.append([name])
    return [names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}" for names in found]


def needs(wanted: Needs) -> str:
    """What a run requires, in words; empty where it asks for nothing."""
    parts = [versions(wanted.packages)] if wanted.packages else []
    if wanted.device == "cuda":
        parts.append("a CUDA device")
    if wanted.processes and wanted.processes > 1:
        parts.append(f"{wanted.processes} processes")
    return ", ".join(parts)


def spread(wording: Wording) -> str:
    """On which releases a wording is printed; empty where it is not known to change."""
    since = [f"since {package} {release}" for package, release in wording.since.items()]
    until = [f"up to {package} {release}" for package, release in wording.until.items()]
    return ", ".join(since + until)


def ranges(wording: Wording) -> dict[str, str]:
    """The releases on which a wording is printed, as a range by package."""
    found = {package: f">={release}" for package, release in wording.since.items()}
    for package, release in wording.until.items():
        found[package] = ",".join(filter(None, (found.get(package), f"<={release}")))
    return found


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


def address(url: str) -> str:
    """A short name for a public address: `owner/repo#12`, a file's name, or the host."""
    parts = urlsplit(url)
    path = [part for part in parts.path.split("/") if part]
    if parts.netloc == "github.com" and len(path) >= 4 and path[2] in ("issues", "pull", "discussions"):
        return f"{path[0]}/{path[1]}#{path[3]}"
    if parts.netloc == "github.com" and len(path) >= 5 and path[2] == "blob":
        return f"{path[1]} {path[3]}: {path[-1]}"
    tail = f"/{path[-1]}" if path else ""
    return f"{parts.netloc.removeprefix('www.')}{tail}"
