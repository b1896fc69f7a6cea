"""What the bare text of a file shows before it is parsed: whether any rule could fire on it.

Most files of a large project hold none of the words that a rule needs, and parsing is what costs.
"""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Iterable

VALUE_WORDS = (
    '"meta"', "'meta'", "init_empty_weights", "device_map=", '"device_map"', "'device_map'", "to_empty(",
    "cpu_offload(", "disk_offload(", "dispatch_model(", "load_checkpoint_and_dispatch(",
)  # fmt: skip
META_WORDS = VALUE_WORDS[:3]
THREAD_WORDS = ("Thread", "thread", "run_in_executor")

_BARE = re.compile(
    r"""("(?!"")(?:\\.|[^"\\\n])*"|'(?!'')(?:\\.|[^'\\\n])*')|\#[^\n]*"""
    r'''|("")"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'''
    r"""|('')'[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''""",
    re.S,
)
_IDLE = re.compile(
    r"""[!=]=\s*["']meta["']|["']meta["']\s*(?::|[!=]=)|\w\[["']meta["']\]|\b(?:get|pop)\(["']meta["']"""
    r"""|\b(?:get|pop|remove|setdefault)\(["']device_map["']|["']device_map["']\s+(?:not\s+)?in\b"""
    r"""|device_map=None|enable_model_cpu_offload\(|\bdef \w+\("""
)
"""Comparisons and names that put nothing on meta and offload nothing."""
_SINK = re.compile(
    r"\.(?:to|cuda|cpu|half|float|bfloat16|double)\(|save|state_dict\(|ipeline\("
    r"|\b(?:load_model|dispatch_model|set_default_device|from_pretrained|from_single_file|to_empty)\("
)
_BUILDS = re.compile(r"register_buffer\(|\breturn [^\n]*\b[A-Z]\w+\(")
_END = r".*?(?=^(?!\1[ \t])[ \t]*(?:async|def|class|@)|\Z)"
_INIT = re.compile(r"^([ \t]+)def[ \t]+__init__\b" + _END, re.M | re.S)
_FUNCTION = re.compile(r"^()def[ \t]+(\w+)" + _END, re.M | re.S)
_CREATES = re.compile(r"torch\.(?:linspace|arange|tensor|zeros|ones|rand|randn|randint|full|logspace|eye)\b")
_CLASS = re.compile(r"^()class[ \t]+(\w+)" + _END, re.M | re.S)
_CALLED = re.compile(r"\b(\w+)\(")


def holds(text: str, *words: str) -> bool:
    """Whether one of the words stands in a text."""
    return any(word in text for word in words)


def ruled(source: str) -> bool:
    """Whether a file holds a word that some rule needs, in its code or not."""
    return "PreTrainedModel" in source or holds(source, *VALUE_WORDS) or threads(source)


@functools.lru_cache(maxsize=64)
def bare(source: str) -> str:
    """The text of a file without its comments; long strings are empty."""
    return _BARE.sub(r"\1\2\3", source)


def values(text: str) -> bool:
    """Whether a walk that follows values could find anything, by the bare text of a program."""
    return _SINK.search(text) is not None and _makes(text)


def threads(text: str) -> bool:
    """Whether a load may run in a thread, by the bare text of a program."""
    return "from_pretrained(" in text and holds(text, *THREAD_WORDS)


def linked_values(texts: list[str]) -> bool:
    """Whether values could go from file to file, by bare texts, that of the importing file last.

    It makes them or is given them, and another file makes or takes them.
    """
    root = texts[-1]
    others = [text for text in texts[:-1] if _SINK.search(text) or _BUILDS.search(text) or _makes(text)]
    return bool(others) and (_makes(root) or any(map(_makes, others)))


@functools.lru_cache(maxsize=64)
def _makes(text: str) -> bool:
    return holds(text, *VALUE_WORDS) and holds(_IDLE.sub("", text), *VALUE_WORDS)


def constructors(text: str, others: Iterable[str] = ()) -> str | None:
    """Constructors of a program with models, and functions that they may call; None where none matters.

    One matters if it could read a tensor that it makes, load weights, or keep a hidden buffer. With the texts
    of other files only those that call a function or build a class of them.
    """
    if "PreTrainedModel" not in text:
        return None
    inits = [found.group(0) for found in _INIT.finditer(text)]
    named = set(_CALLED.findall("".join(inits)))
    files = list(others) or [text]
    helpers = [
        found.group(0) for file in files for found in _FUNCTION.finditer(file) if found.group(2) in named
    ]
    if others:
        classes = [found for file in files for found in _CLASS.finditer(file) if found.group(2) in named]
        parts = [found.group(0) for part in classes for found in _INIT.finditer(part.group(0))]
        if not helpers and not parts:
            return None
        inits += parts
    reached = "".join((*inits, *helpers))
    if (
        holds(reached, "from_pretrained(", "load_state_dict(")
        or ("register_buffer(" in reached and "False" in reached)
        or _CREATES.search(reached)
    ):
        return "\n".join((*map(textwrap.dedent, inits), *helpers))
    return None
