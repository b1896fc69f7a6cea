"""What is wrong with a value and what to write instead, in the words of whoever wrote it."""

from __future__ import annotations

import difflib
import re
from typing import Any

RANGE = re.compile(r"^\s*([A-Za-z][\w-]*)\s*([<>=!~][^{}]*)$")
MAPPINGS = ("dict_type", "model_type", "model_attributes_type")
SEE = "see kb/schema and CONTRIBUTING.md"


def told(item: Any) -> tuple[str, str]:
    """Message and remedy of one error that pydantic found (an item of `ValidationError.errors()`)."""
    kind, given, place = item["type"], item.get("input"), [str(part) for part in item["loc"]]
    name = place[-1] if place else ""
    context = item.get("ctx", {})
    if kind in ("dict_type", "model_type", "model_attributes_type") and name in (
        "applies",
        "needs",
        "packages",
    ):
        found = RANGE.match(given) if isinstance(given, str) else None
        shown = f'{{{found[1]}: "{found[2].strip()}"}}' if found else '{torch: ">=2.1"}'
        what = "ranges by package, and `device: cuda`" if name == "needs" else "ranges by package"
        return f"is a mapping: {what}", f"write `{name}: {shown}`"
    if kind in ("enum", "literal_error"):
        known = re.findall(r"'([^']+)'", context.get("expected", ""))
        near = difflib.get_close_matches(str(given).lower(), known, 1)
        remedy = f"did you mean {near[0]!r}?" if near else f"write one of {', '.join(known)}"
        return f"{given!r} is not one of {', '.join(known)}", remedy
    if kind == "string_pattern_mismatch" and str(context.get("pattern", "")).startswith("^[a-z]"):
        return f"{given!r} is not an id: lower-case words joined by single hyphens", _as_id(str(given))
    if kind == "string_pattern_mismatch" and str(context.get("pattern", "")).startswith("^https"):
        return f"{given!r} is not an address", "write it whole, https://…, without blanks and brackets"
    if kind == "string_too_long":
        return f"{len(str(given))} characters, at most {context['max_length']}", "shorten it"
    if kind == "string_type":
        return f"{given!r} is not text", "put it into quotes"
    return item["msg"].removeprefix("Value error, "), SEE


def _as_id(text: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    if not words or not words[0].isalpha():
        return "begin it with a letter"
    return f"did you mean {words!r}?"
