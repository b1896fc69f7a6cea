"""What a reader is shown of an answer, in this order: deciding line, why, change, trap, open questions.

The page shows the same in the same words: `docs/assets/javascripts/result.js`. A result is

    {
      "id": "to-after-dispatch", "title": "…", "url": "…", "share": 97,
      "line": {"number": 15, "place": "main.py:36", "text": "self.model.to(device)", "marks": [[11, 21]]},
      "why": "One sentence.",
      "fix": {"id", "title", "rows": [["-", "self.model.to(device)"]], "change", "diff", "script", "yours"},
      "ran": "Ran on your versions: …", "elsewhere": "",           the second where they have no such cause
      "trap": "Follow the message and call to_empty(). …",
      "said": [{"id", "says", "answer"}], "questions": [{"id", "says"}],
      "others": [{"id", "title", "url", "share", "fix"}],
      "link": "…#answer=…"                                      ids and answers, never the paste
    }

with None for a line or fix that there is not. `yours` tells that the change is in the reader's names.
"""

from __future__ import annotations

import re

from unmeta.match.evidence import numbers
from unmeta.match.fill import fill, rows_of
from unmeta.match.read import CODE, FRAME, OWN, SOURCE
from unmeta.match.score import NO, inside

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from unmeta.match.evidence import Evidence
    from unmeta.match.fill import Filled, Row

    Cards = Callable[[str], Mapping[str, Any] | None]

TOLD = ("torch", "transformers", "accelerate")
ORDER = ("calls", "earlier", "through", "says", "holes", "version", "learnt")
"""Clues that may have a line, the most telling first."""
ASKED = 3  # questions at a time
SURE = 50  # per cent from which the first cause stands before the questions
CAUSES = 5  # others that are named, each with a hundredth or more
LIKELY = "The questions make sure."
READ = 80  # lines of the reader's code in which the change is looked for
JOINED = 15  # lines that one statement may take
LONG = 140  # characters of a line that is quoted
_NAMED = re.compile(r"`([^`]+)`|“([^”]+)”")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MESSAGE = re.compile(r"^[A-Za-z_][A-Za-z0-9_.]*(?:Error|Warning|Exception): ")


def result(
    index: Mapping[str, Any],
    evidence: Evidence,
    answer: Mapping[str, Any],
    answers: Mapping[str, bool],
    cards: Cards,
    stacks: Mapping[str, Mapping[str, str]],
    installed: Mapping[str, str],
) -> dict[str, Any] | None:
    """What to show of an answer; None where nothing is known.

    `index` is the matcher's, `cards` gives `unmeta.match.card.card` by the id of a cause, `stacks` the
    versions of runs by their name;
    `installed` are the reader's own versions, which those that the paste states stand before.
    """
    if not answer["known"] or not answer["causes"]:
        return None
    first = answer["causes"][0]
    stated = {name: evidence.paste.versions[name] for name in TOLD if name in evidence.paste.versions}
    yours = stated or {name: installed[name] for name in TOLD if name in installed}
    card = cards(first["id"])
    places = _statements(evidence, first)
    fix, filled, face = _fix(card, answer, yours, [text for _, text in places])
    line = _filled_line(evidence, places, filled) or _told_line(evidence, answer, first)
    trap = next((trap for trap in card["traps"] if trap["face"] == face), None) if card else None
    trap = trap or (card["traps"][0] if card and card["traps"] else None)
    return {
        "id": first["id"],
        "title": first["title"],
        "url": first["url"],
        "share": first["share"],
        "line": line,
        "why": card["why"] if card else "",
        "fix": fix and shown_fix(fix, filled),
        "ran": ran(fix["ran"], stacks, yours) if fix else "",
        "elsewhere": elsewhere(card, face, yours) if card else "",
        "trap": trap["says"] if trap else "",
        "said": said(index, answers),
        "questions": questions(answer, answers),
        "others": others(answer, cards),
        "link": link(answer, answers),
    }


# --- the change -------------------------------------------------------------------------------------


def _statements(evidence: Evidence, cause: Mapping[str, Any]) -> list[tuple[int, str]]:
    """The reader's statements with the place of their first line: those that clues name, then those of
    frames, the innermost first, then pasted code.
    """
    lines = evidence.paste.lines
    named = {clue["line"] for clue in cause["yes"]}
    found = []
    for at, line in enumerate(lines):
        if line.zone != CODE or line.text.startswith(("#", "def ", "class ", "import ", "from ")):
            continue
        text = line.text
        owed = _opened(text)
        for below in range(at + 1, min(at + JOINED, len(lines)) if owed > 0 else 0):
            if lines[below].zone != CODE or owed <= 0:
                break
            more = lines[below].text  # empty where a line of the pasted code is
            joined = text.endswith(("(", "[", "{")) or more.startswith((")", "]", "}"))
            text += more if joined else " " + more
            owed += _opened(more)
        inner = -at if line.frame >= 0 else at
        found.append(((line.number not in named, line.frame < 0, inner), at, text))
    found.sort(key=lambda item: item[0])
    return [(at, text) for _, at, text in found[:READ]]


def _opened(text: str) -> int:
    return sum(text.count(sign) for sign in "([{") - sum(text.count(sign) for sign in ")]}")


def _fix(
    card: Mapping[str, Any] | None,
    answer: Mapping[str, Any],
    yours: Mapping[str, str],
    lines: Sequence[str],
) -> tuple[Mapping[str, Any] | None, Filled | None, str]:
    """The fix to show, in the reader's names where they are found, and the face that it belongs to.

    Of the faces that show the last message and exist on the versions, the first whose change is about a
    line of the reader, else the first.
    """
    if not card or not card["fixes"]:
        return None, None, ""
    last = answer["symptoms"][-1] if answer["symptoms"] else ""
    faces = [face for face in card["faces"] if last in face["symptoms"]] or card["faces"][:1]
    there = [face for face in faces if inside(face["applies"], yours) != NO] or faces
    best: tuple[Mapping[str, Any] | None, Filled | None, str] = (None, None, "")
    for face in there:
        fix = next((fix for fix in card["fixes"] if fix["face"] == face["id"]), None)
        if fix is None:
            continue
        filled = fill(rows_of(fix["diff"]), lines) if fix["diff"] else None
        if filled and filled.line >= 0:
            return fix, filled, face["id"]
        if best[0] is None:
            best = (fix, filled, face["id"])
    return best if best[0] else (card["fixes"][0], None, card["fixes"][0]["face"])


def shown_fix(fix: Mapping[str, Any], filled: Filled | None) -> dict[str, Any]:
    """A fix with its rows, what they come to, and the name of the script that was run."""
    rows = _trimmed(filled.rows if filled else rows_of(fix["diff"]) if fix["diff"] else [])
    return {
        "id": fix["id"],
        "title": fix["title"],
        "rows": [list(row) for row in rows],
        "change": "\n".join(text for sign, text in rows if sign in "+ ").strip("\n"),
        "diff": "\n".join("@@" if sign == "@" else f"{sign}{text}".rstrip() for sign, text in rows),
        "script": fix["script"],
        "yours": filled is not None,
    }


def _trimmed(rows: Sequence[Row]) -> list[Row]:
    """Rows without blank ones at the ends, and no two of them together."""
    kept: list[Row] = []
    for row in rows:
        blank = not row[1].strip() and row[0] != "-"
        if blank and (not kept or (not kept[-1][1].strip() and kept[-1][0] != "-")):
            continue
        kept.append(("@", "") if row[0] == "@" else row)
    while kept and not kept[-1][1].strip():
        kept.pop()
    return kept


# --- the line that decides ----------------------------------------------------------------------------


def _filled_line(
    evidence: Evidence, places: Sequence[tuple[int, str]], filled: Filled | None
) -> dict[str, Any] | None:
    if filled is None or filled.line < 0:
        return None
    at, text = places[filled.line]
    return _quoted(evidence, at, text, filled.marks)


def _told_line(
    evidence: Evidence, answer: Mapping[str, Any], cause: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The line of the most telling clue; of a library's frame the reader's line that led into it."""
    lines = evidence.paste.lines
    told = [clue for clue in cause["yes"] if clue["line"] and clue["clue"] in ORDER]
    told.sort(key=lambda clue: ORDER.index(clue["clue"]))
    for clue in told:
        at = next(
            (
                at
                for at, line in enumerate(lines)
                if line.number == clue["line"] and line.text.startswith(clue["text"])
            ),
            -1,
        )
        if at < 0:
            continue
        if lines[at].zone not in (FRAME, SOURCE, OWN):
            return _quoted(evidence, at, lines[at].text, _marks(lines[at].text, clue["says"]))
        own = _led(evidence, at)
        if own:
            return own
    if not answer["seen"]:
        return None
    last = answer["seen"][-1]
    at = next((at for at, line in enumerate(lines) if line.number == last["line"]), -1)
    if at < 0:
        return None
    found = _MESSAGE.match(lines[at].text)
    return _quoted(evidence, at, lines[at].text, [[found.end() if found else 0, len(lines[at].text)]])


def _led(evidence: Evidence, at: int) -> dict[str, Any] | None:
    """The reader's source line above a place of a traceback, with the call that led on marked."""
    frames = evidence.paste.frames
    inner = None
    for frame in reversed(frames):
        if frame.at > at:
            continue
        if frame.user and frame.code:
            marks: list[list[int]] = []
            if inner is not None:
                named = [f for f in _WORD.finditer(frame.code) if f[0] == inner.function]
                marks = [[found.start(), found.end()] for found in named[-1:]]
            return _quoted(evidence, frame.code_at, frame.code, marks)
        if not frame.user:
            inner = frame
    return None


def _marks(text: str, says: str) -> list[list[int]]:
    """Where a line has what a clue names."""
    for found in _NAMED.finditer(says):
        value = found[1] or found[2]
        at = text.lower().find(value.lower())
        if at >= 0:
            return [[at, at + len(value)]]
        words = _WORD.findall(value)
        for word in _WORD.finditer(text):
            if words and word[0] == words[-1]:
                return [[word.start(), word.end()]]
    return []


def _quoted(evidence: Evidence, at: int, text: str, marks: list[list[int]]) -> dict[str, Any]:
    line = evidence.paste.lines[at]
    frame = evidence.paste.frames[line.frame] if line.frame >= 0 else None
    file = frame.module.rpartition("/")[2] if frame else ""
    place = f"{file}.py:{frame.line}" if frame and frame.line and "<" not in file else ""
    start = 0
    if len(text) > LONG:
        first = marks[0][0] if marks else 0
        start = max(0, min(first - 30, len(text) - LONG)) if first > LONG - 30 else 0
        lead = "…" if start else ""
        tail = "…" if start + LONG < len(text) else ""
        text = lead + text[start : start + LONG] + tail
        start -= len(lead)
    kept = [[max(a - start, 0), min(b - start, len(text))] for a, b in marks]
    return {
        "number": line.number,
        "place": place,
        "text": text,
        "marks": [[a, b] for a, b in kept if a < b],
    }


# --- versions -----------------------------------------------------------------------------------------


def ran(names: Sequence[str], stacks: Mapping[str, Mapping[str, str]], yours: Mapping[str, str]) -> str:
    """Where a fix ran, said of the reader's versions."""
    known = [stacks[name] for name in names if name in stacks]
    if not known:
        return "Not run yet."
    if not yours:
        times = "once" if len(known) == 1 else f"on {len(known)} sets of versions"
        return f"Ran {times}, last with {written(known[-1])}."
    near = min(range(len(known)), key=lambda at: (distance(known[at], yours), -at))
    if distance(known[near], yours) == 0:
        return f"Ran on your versions: {written(yours)}."
    return f"Yours: {written(yours)}. Nearest run: {written(known[near])}."


def distance(stack: Mapping[str, str], yours: Mapping[str, str]) -> int:
    """How far the versions of a run are from the reader's; 0 where all agree as far as they are stated."""
    total = 0
    for name, version in yours.items():
        if name not in stack:
            total += 50
            continue
        own, other = numbers(version), numbers(stack[name])
        far = 0
        for at, weight in enumerate((10000, 100, 1)):
            b = other[at] if at < len(other) else 0
            a = own[at] if at < len(own) else b
            far += weight * (min(a, 99) - min(b, 99))
        total += abs(far)
    return total


def written(versions: Mapping[str, str]) -> str:
    """Versions as words."""
    return ", ".join(f"{name} {versions[name].partition('+')[0]}" for name in TOLD if name in versions)


def elsewhere(card: Mapping[str, Any], face: str, yours: Mapping[str, str]) -> str:
    """What to say where the reader's versions do not have the cause, as far as is known."""
    applies: Mapping[str, str] = next((item["applies"] for item in card["faces"] if item["id"] == face), {})
    if not yours or inside(applies, yours) != NO:
        return ""
    ranges = " and ".join(f"{name} {wanted}" for name, wanted in applies.items())
    return f"Known with {ranges}; yours: {written(yours)}."


# --- what else there is -------------------------------------------------------------------------------


def said(index: Mapping[str, Any], answers: Mapping[str, bool]) -> list[dict[str, Any]]:
    """The questions that the reader answered, also those of causes that are out of question by now."""
    known = {name: values[0] for key, name, *values in index["clues"] if key == "ask" and name in answers}
    return [
        {"id": name, "says": known[name], "answer": told} for name, told in answers.items() if name in known
    ]


def questions(answer: Mapping[str, Any], answers: Mapping[str, bool]) -> list[dict[str, str]]:
    """The open questions that tell the likeliest causes apart: one of each, and of a sure one its own."""
    sure = answer["verdict"] == "cause"
    found: dict[str, str] = {}
    for cause in answer["causes"][: 1 if sure else 2 * ASKED]:
        for clue in cause["open"][:1]:
            if clue["id"] not in answers and (cause["share"] or not found):
                found.setdefault(clue["id"], clue["says"])
    most = 1 if sure else ASKED
    return [{"id": name, "says": says} for name, says in list(found.items())[:most]]


def others(answer: Mapping[str, Any], cards: Cards) -> list[dict[str, Any]]:
    """The next causes, with the title of their fix."""
    found = []
    for cause in answer["causes"][1 : CAUSES + 1]:
        if cause["share"] < 1:
            break
        card = cards(cause["id"])
        fix = card["fixes"][0]["title"] if card and card["fixes"] else ""
        found.append({**{key: cause[key] for key in ("id", "title", "url", "share")}, "fix": fix})
    return found


def link(answer: Mapping[str, Any], answers: Mapping[str, bool]) -> str:
    """An address of the answer: ids of causes and messages, and what was answered; nothing of the paste."""
    causes = answer["causes"][: 3 if answer["verdict"] != "cause" else 1]
    parts = ["answer=" + ",".join(cause["id"] for cause in causes)]
    if answer["symptoms"]:
        parts.append("seen=" + ",".join(answer["symptoms"]))
    for value, name in ((True, "yes"), (False, "no")):
        told = [clue for clue, said in answers.items() if said is value]
        if told:
            parts.append(f"{name}=" + ",".join(told))
    first = answer["causes"][0]
    url = str(first["url"])
    return f"{url[: url.rindex('e/' + first['id'])]}#{'&'.join(parts)}"


# --- the words ----------------------------------------------------------------------------------------


def decided(answer: Mapping[str, Any]) -> bool:
    """Whether the first cause is likely enough to be shown with its change; else questions come first."""
    return bool(answer["verdict"] == "cause" or answer["causes"][0]["share"] >= SURE)


def words(answer: Mapping[str, Any], shown: Mapping[str, Any]) -> list[tuple[str, str]]:
    """All that is said, in its order, each with its kind."""
    asked = [
        ("said", f"You said {'yes' if item['answer'] else 'no'}: {item['says']}") for item in shown["said"]
    ]
    asked += [("ask", item["says"]) for item in shown["questions"]]
    line = []
    if shown["line"]:
        place = f" · {shown['line']['place']}" if shown["line"]["place"] else ""
        line = [("where", f"Line {shown['line']['number']}{place}"), ("quote", shown["line"]["text"])]
    own = {key: shown[key] for key in ("id", "title", "url", "share")}
    own["fix"] = shown["fix"]["title"] if shown["fix"] else ""
    if not decided(answer):
        found = [("verdict", answer["says"]), *asked, *line, ("trap", shown["trap"])]
        return [(kind, text) for kind, text in [*found, *_listed([own, *shown["others"]])] if text]
    sure = answer["verdict"] == "cause"
    found = [
        ("verdict", answer["says"] if sure else f"{shown['share']} % likely. {LIKELY}"),
        ("title", shown["title"]),
        *line,
        ("why", shown["why"]),
    ]
    if shown["fix"]:
        found.append(("fix", shown["fix"]["title"]))
        found += [
            ("row", "⋯" if sign == "@" else f"{sign} {text}".rstrip()) for sign, text in shown["fix"]["rows"]
        ]
        found.append(("ran", shown["ran"]))
    found += [("elsewhere", shown["elsewhere"]), ("trap", shown["trap"]), *asked]
    return [(kind, text) for kind, text in [*found, *_listed(shown["others"])] if text]


def _listed(causes: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    found = []
    for cause in causes:
        found += [("other", f"{cause['title']} ({cause['share']} %)"), ("other-fix", cause["fix"])]
    return found
