"""The open questions of an answer, put at the terminal."""

from __future__ import annotations

import sys

from unmeta.match import explain

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from typing import TextIO

    from unmeta.match import Answer

MOST = 5


def ask_back(text: str, answer: Answer, terminal: TextIO | None = None) -> Answer:
    """Say what was recognised, then put the open questions of the likeliest causes until one decides.

    Questions go to standard error and replies come from the terminal, so that a paste may be piped in. An
    empty reply leaves the question open; end of input, or a reply that leaves one cause, ends the asking.
    """
    from unmeta.match.shown import recognised
    from unmeta.terminal import clean, cleaned, paper

    try:
        terminal = terminal or (sys.stdin if sys.stdin.isatty() else open("/dev/tty", encoding="utf-8"))  # noqa: SIM115
    except OSError:
        print("unmeta: no terminal to ask at; ranked without answers", file=sys.stderr)
        return answer
    if not answer["known"] or answer["verdict"] == "cause":
        return answer
    for line in recognised(cleaned(answer), paper(sys.stderr)):
        print(line, file=sys.stderr)
    print(f"{answer['says']} y, n, or Enter where you do not know.", file=sys.stderr)
    answers: dict[str, bool] = {}
    asked: set[str] = set()
    while len(asked) < MOST:
        question = next(
            (clue for cause in answer["causes"] for clue in cause["open"] if clue["id"] not in asked), None
        )
        if question is None:
            break
        asked.add(question["id"])
        print(f"{clean(question['says'])} [y/n/Enter] ", end="", file=sys.stderr, flush=True)
        line = terminal.readline()
        if not line:
            print(file=sys.stderr)
            break
        reply = line.strip().lower()[:1]
        if reply not in ("y", "n"):
            continue
        answers[question["id"]] = reply == "y"
        answer = explain(text, answers)
        first = answer["causes"][0]["yes"] if answer["causes"] else []
        decided = reply == "y" and any(clue["id"] == question["id"] for clue in first)
        if decided or answer["verdict"] == "cause":
            break
    return answer
