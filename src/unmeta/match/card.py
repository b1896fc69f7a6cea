"""What an answer shows of a cause: why, its changes and its trap, and of a message what it means; of the JSON
form of entries.

The site writes the cards of all beside the index; a terminal makes that of one entry.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

LONGEST = 150  # characters of a trap with its reason; of a longer one the trap alone is told
_NAMES = "torch|transformers|accelerate|diffusers|peft|safetensors|bitsandbytes|sentence-transformers"
_END = re.compile(rf"(?<=[.!?])\s+(?=[A-Z`\"“(]|(?:{_NAMES})\b)")
_ASIDE = re.compile(r"\s*\(\[\[[^\]|]+\]\]\)")  # a link that is no part of its sentence
_WARNING = re.compile(r"Do not ([^:;]+?)(?:[:;].*)?[.]?$")
_MEANT = re.compile(
    r"\b(?:it|its|one|them|that|this|here|there)\b"
)  # words that stand for some other sentence's
_LINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")


def card(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The card of a cause, or of a message. `face` of a fix or trap is empty where it belongs to the main
    snippet.
    """
    if entry["kind"] == "symptom":
        told = sentences(entry.get("means") or "")
        return {"means": " ".join(told), "not": warning(told[-1])}
    faces = [{"id": "", "applies": entry["applies"], "symptoms": _ids(entry["symptoms"])}]
    faces += [
        {
            "id": face["id"],
            "applies": face.get("applies") or entry["applies"],
            "symptoms": _ids(face["symptoms"]),
        }
        for face in entry["faces"]
    ]
    return {
        "why": why(entry["summary"]),
        "faces": faces,
        "fixes": list(_fixes(entry)),
        "traps": [
            {"face": trap.get("face") or "", "says": trap_line(trap["title"], trap["why"])}
            for trap in entry["traps"]
        ],
    }


def _ids(shown: Iterable[Mapping[str, Any]]) -> list[str]:
    return [item["id"] for item in shown]


def _fixes(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for fix in entry["fixes"]:
        yield _fix(fix, fix.get("face") or "")
    for face in entry["faces"]:
        for fix in face.get("holds", ()):
            yield _fix(fix, face["id"])


def _fix(fix: Mapping[str, Any], face: str) -> dict[str, Any]:
    return {
        "id": fix["id"],
        "title": fix["title"],
        "face": face,
        "diff": (fix.get("change") or {}).get("diff", ""),
        "script": fix["snippet"],
        "ran": fix.get("ran", {}),
        **({"missed": fix["missed"]} if "missed" in fix else {}),
    }


def sentences(text: str, *, links: bool = False) -> list[str]:
    """The sentences of a text, without links unless they are to stay."""
    text = " ".join(text.split())
    if not links:
        text = _LINK.sub(lambda found: found[2] or found[1], _ASIDE.sub("", text))
    return _END.split(text)


def why(summary: str) -> str:
    """Of a summary, which says what to do and then why, the sentence that says why."""
    told = sentences(summary)
    return told[1] if len(told) > 1 else told[0]


def warning(sentence: str) -> str:
    """What a message's page says not to do, in the words of a trap and without what to do in its place; empty
    where that needs the sentence before.
    """
    told = _WARNING.match(sentence)
    if not told or _MEANT.search(told[1]):
        return ""
    text = told[1].replace(", and do not ", ", or ")
    return f"{text[0].upper()}{text[1:]}."


def trap_line(title: str, reason: str) -> str:
    """A trap in one line."""
    first = sentences(reason)[0]
    return f"{title}. {first}" if len(title) + len(first) < LONGEST else f"{title}."
