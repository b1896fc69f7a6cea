"""An answer with what to do about its first cause: the change, and the advice that does not help."""

from __future__ import annotations

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from unmeta.terminal import Paper


def render(answer: Mapping[str, Any], paper: Paper) -> str:
    """Text of an answer of `unmeta.explain` for a terminal."""
    from unmeta.match.shown import render as render_answer

    return render_answer(answer, paper, remedy)


def remedy(cause: str, answer: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    """The first fix of a cause and its first trap, for the face that the answer's last message shows."""
    from unmeta.cli.entry import change
    from unmeta.kb.entries import load
    from unmeta.terminal import cleaned

    try:
        entry = cleaned(load()[cause])
    except (OSError, ValueError, KeyError):
        return  # `unmeta show` says what is wrong with the entries
    face = face_of(entry, answer["symptoms"])
    fix = next((fix for fix in entry["fixes"] if fix.get("face") == face), None)
    fix = fix or next(iter(entry["fixes"]), None)
    if fix is not None:
        yield ""
        yield paper.fill(f"Fix: {fix['title']}", "   ", "        ")
        if fix.get("change"):
            yield change(paper, fix["change"]["diff"])
    traps = [trap for trap in entry["traps"] if trap.get("face") == face] or entry["traps"]
    for trap in traps[:1]:
        yield paper.style("bad", paper.fill(f"Not this: {trap['title']}", "   ", "        "))


def face_of(entry: Mapping[str, Any], symptoms: list[str]) -> str | None:
    """The face whose last symptom was seen last; None for the main one, or where none tells."""
    if not symptoms or any(shown["id"] == symptoms[-1] for shown in entry["symptoms"]):
        return None
    for face in entry["faces"]:
        if any(shown["id"] == symptoms[-1] for shown in face["symptoms"]):
            return str(face["id"])
    return None
