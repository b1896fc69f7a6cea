"""The open questions of an answer, put at the terminal."""

from __future__ import annotations

import sys

from unmeta.match import explain

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from unmeta.match import Answer

MOST = 5


def ask_back(text: str, answer: Answer) -> Answer:
    """Put the open questions of the likeliest causes, one at a time, and rank again after each reply.

    Questions go to standard error and replies come from the terminal, so that a paste may be piped in. An
    empty reply leaves the question open; end of input ends the asking.
    """
    answers: dict[str, bool] = {}
    asked: set[str] = set()
    try:
        terminal = sys.stdin if sys.stdin.isatty() else open("/dev/tty", encoding="utf-8")  # noqa: SIM115
    except OSError:
        print("unmeta: no terminal to ask at; ranked without answers", file=sys.stderr)
        return answer
    for _ in range(MOST):
        question = next(
            (clue for cause in answer["causes"] for clue in cause["open"] if clue["id"] not in asked), None
        )
        if question is None:
            break
        asked.add(question["id"])
        print(f"{question['says']} [y/n/Enter] ", end="", file=sys.stderr, flush=True)
        line = terminal.readline()
        if not line:
            break
        reply = line.strip().lower()[:1]
        if reply in ("y", "n"):
            answers[question["id"]] = reply == "y"
            answer = explain(text, answers)
    return answer
