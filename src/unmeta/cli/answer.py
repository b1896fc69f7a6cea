"""An answer with what to do about its first cause: the change, and the advice that does not help."""

from __future__ import annotations

from unmeta.cli.door import UsageError

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from unmeta.match import Answer
    from unmeta.terminal import Paper


def render(answer: Mapping[str, Any], paper: Paper) -> str:
    """Text of an answer of `unmeta.explain` for a terminal."""
    from unmeta.match.shown import render as render_answer

    return render_answer(answer, paper, remedy)


def data(answer: Answer) -> dict[str, Any]:
    """An answer as `--json` prints it: `fix` and `trap` besides in the causes that are written out."""
    from unmeta.match.shown import SHOWN_CAUSES

    plain = answer.to_dict()
    for cause in plain["causes"][:SHOWN_CAUSES]:
        cause["fix"], cause["trap"] = ways(cause["id"], plain["symptoms"])
    return plain


def remedy(cause: str, answer: Mapping[str, Any], paper: Paper) -> Iterator[str]:
    """The first fix of a cause and its first trap, for the face that the answer's last message shows."""
    from unmeta.cli.entry import change

    fix, trap = ways(cause, answer["symptoms"])
    if fix is not None:
        yield ""
        yield paper.fill(f"Fix: {fix['title']}", "   ", "        ")
        if fix.get("change"):
            yield change(paper, fix["change"]["diff"])
    if trap is not None:
        yield paper.style("bad", paper.fill(f"Not this: {trap['title']}", "   ", "        "))


def ways(cause: str, symptoms: list[str]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The first fix and the first trap of a cause, of the face that was seen where it has its own."""
    from unmeta.cli.lookup import entries
    from unmeta.terminal import cleaned

    try:
        entry = cleaned(entries()[cause])
    except (UsageError, KeyError):
        return None, None  # `unmeta show` says what is wrong with the entries
    face = face_of(entry, symptoms)

    def first(found: list[dict[str, Any]]) -> dict[str, Any] | None:
        return next((way for way in found if way.get("face") == face), next(iter(found), None))

    return first(entry["fixes"]), first(entry["traps"])


def face_of(entry: Mapping[str, Any], symptoms: list[str]) -> str | None:
    """The face whose last symptom was seen last; None for the main one, or where none tells."""
    if not symptoms or any(shown["id"] == symptoms[-1] for shown in entry["symptoms"]):
        return None
    for face in entry["faces"]:
        if any(shown["id"] == symptoms[-1] for shown in face["symptoms"]):
            return str(face["id"])
    return None
