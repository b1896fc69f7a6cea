"""What a reader is shown of an answer, in this order: deciding line, why, change, trap, open questions.

The page shows the same in the same words: `docs/assets/javascripts/result.js`. A result is

    {
      "id": "to-after-dispatch", "face": "", "title": "…", "url": "…", "share": 97,
      "denied": false,                                          an answer of the reader speaks against it
      "line": {"number": 15, "place": "main.py:36", "text": "self.model.to(device)", "marks": [[11, 21]]},
      "why": "One sentence.",
      "fix": {"id", "title", "rows": [["-", "self.model.to(device)"]], "goes": "Delete this line.",
              "change", "diff", "script", "yours"},
      "ran": "✓ Ran on your versions: …", "elsewhere": "",         the second where they have no such cause
      "yours": {"torch": "2.7.1"},                              the reader's versions, as far as known
      "trap": "Follow the message and call to_empty(). …",    of the face, else of its message
      "means": "What the last message means. What not to do.",
      "said": [{"id", "says", "answer"}], "questions": [{"id", "says"}],
      "others": [{"id", "title", "url", "share", "fix"}],
      "link": "…#answer=…"                                      ids and answers, never the paste
    }

with None for a line or fix that there is not. `yours` tells that the change is in the reader's names;
`goes` is said of a change that only takes lines away.
"""

from __future__ import annotations

import re

from unmeta.match.evidence import numbers
from unmeta.match.fill import fill, rows_of
from unmeta.match.read import CODE, FRAME, OWN, SOURCE
from unmeta.match.score import NO, inside

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from unmeta.match.evidence import Evidence
    from unmeta.match.fill import Filled, Row

    Cards = Callable[[str], Mapping[str, Any] | None]

TOLD = ("torch", "transformers", "accelerate")
OWNED = ("calls", "through")
"""Clues that name a line of the reader's, the most telling first."""
PRINTED = ("says", "earlier", "holes", "version")
"""Clues that name another line; it is quoted where the paste has none of the reader's code."""
ASKED = 3  # questions at a time
SURE = 50  # per cent from which the first cause stands before the questions
CAUSES = 5  # others that are named, each with a hundredth or more
LIKELY = ("", " One question makes sure.", " The questions make sure.")
DENIED = "Your no speaks against this cause, but nothing fits the text better"
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
    `installed` are the reader's own versions; one that the paste states stands before them.
    """
    if not answer["known"] or not answer["causes"]:
        return None
    first = answer["causes"][0]
    own = {**installed, **evidence.paste.versions}
    yours = {name: own[name] for name in TOLD if name in own}
    card = cards(first["id"])
    places = _statements(evidence, first)
    fix, filled, face = _fix(card, answer, yours, [text for _, text in places])
    line = _filled_line(evidence, places, filled) or _told_line(evidence, answer, first)
    message = cards(answer["symptoms"][-1]) if answer["symptoms"] else None
    return {
        "id": first["id"],
        "face": face,
        "title": first["title"],
        "url": f"{first['url']}#face-{face}" if face else first["url"],
        "share": first["share"],
        "denied": any(clue["clue"] == "ask" for clue in first["no"]),
        "line": line,
        "why": card["why"] if card else "",
        "fix": fix and shown_fix(fix, filled),
        "ran": ran(fix, stacks, yours) if fix else "",
        "elsewhere": elsewhere(card, face, yours) if card else "",
        "yours": yours,
        "trap": _trap(card, face, message, answer),
        "means": message["means"] if message else "",
        "said": said(index, answers),
        "questions": questions(answer, answers),
        "others": others(answer, cards, yours),
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


def _trap(
    card: Mapping[str, Any] | None,
    face: str,
    message: Mapping[str, Any] | None,
    answer: Mapping[str, Any],
) -> str:
    """What not to do: the face's own trap, that of the main snippet where both show the last message, else
    what is wrong after that message whatever caused it. A trap of another face may be this one's fix.
    """
    if card:
        shared = answer["symptoms"][-1:]
        near = [face] if not face or not set(shared) & set(card["faces"][0]["symptoms"]) else [face, ""]
        for name in near:
            for trap in card["traps"]:
                if trap["face"] == name:
                    return str(trap["says"])
    return str(message["not"]) if message else ""


def shown_fix(fix: Mapping[str, Any], filled: Filled | None) -> dict[str, Any]:
    """A fix with its rows, what they come to, and the name of the script that was run."""
    rows = _trimmed(filled.rows if filled else rows_of(fix["diff"]) if fix["diff"] else [])
    return {
        "id": fix["id"],
        "title": fix["title"],
        "rows": [list(row) for row in rows],
        "goes": _goes(rows),
        "change": "\n".join(text for sign, text in rows if sign in "+ ").strip("\n"),
        "diff": "\n".join("@@" if sign == "@" else f"{sign}{text}".rstrip() for sign, text in rows),
        "script": fix["script"],
        "yours": filled is not None,
    }


def _goes(rows: Sequence[Row]) -> str:
    """What a change that only takes lines away asks for; empty for any other."""
    gone = sum(sign == "-" and bool(text.strip()) for sign, text in rows)
    if not gone or any(sign == "+" for sign, _ in rows):
        return ""
    return "Delete this line." if gone == 1 else f"Delete these {gone} lines."


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
    """The reader's line that a clue names, else the one that led into the last message; where the paste has
    no code of the reader's, the line that tells most.
    """
    lines = evidence.paste.lines
    for _, at, says in _told(evidence, cause, OWNED):
        if lines[at].zone == CODE:
            return _quoted(evidence, at, lines[at].text, _marks(lines[at].text, says))
        own = _led(evidence, at) if lines[at].zone in (FRAME, SOURCE, OWN) else None
        if own:
            return own
    last = answer["seen"][-1]["line"] if answer["seen"] else 0
    message = next((at for at, line in enumerate(lines) if line.number == last), -1)
    own = (_led(evidence, message) if message >= 0 else None) or _led(evidence, len(lines))
    if own:
        return own
    for clue, at, says in _told(evidence, cause, PRINTED):
        text = lines[at].text
        return _quoted(evidence, at, text, _all(text) if clue == "earlier" else _marks(text, says))
    if message < 0:
        return None
    return _quoted(evidence, message, lines[message].text, _all(lines[message].text))


def _told(
    evidence: Evidence, cause: Mapping[str, Any], order: Sequence[str]
) -> Iterator[tuple[str, int, str]]:
    """(kind, place of its line, sentence) of the clues of some kinds that have a line, in their order."""
    lines = evidence.paste.lines
    told = [clue for clue in cause["yes"] if clue["line"] and clue["clue"] in order]
    told.sort(key=lambda clue: order.index(clue["clue"]))
    for clue in told:
        for at, line in enumerate(lines):
            if line.number == clue["line"] and line.text.startswith(clue["text"]):
                yield clue["clue"], at, clue["says"]
                break


def _all(text: str) -> list[list[int]]:
    """A message as a whole, without the type before it."""
    found = _MESSAGE.match(text)
    return [[found.end() if found else 0, len(text)]]


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
        words = _WORD.findall(found[1] or "")
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


def ran(fix: Mapping[str, Any], stacks: Mapping[str, Mapping[str, str]], yours: Mapping[str, str]) -> str:
    """Where a fix ran and whether it reached its goal, said of the reader's versions.

    `fix` has days by the names of stacks: `ran` where it did, `missed` where it did not.
    """
    held, missed = fix["ran"], fix.get("missed", {})
    known = [name for name in stacks if name in held or name in missed]
    if not known:
        return "Not run yet."

    def day(name: str) -> str:
        return str(held.get(name) or missed[name])

    def on(name: str) -> str:
        return f"{written(stacks[name])} ({day(name)})"

    if not yours:
        good = [name for name in known if name in held]
        if not good:
            return f"✗ Missed its goal with {on(known[-1])}."
        times = f"Ran on {len(good)} stacks, last" if len(good) > 1 else "Ran once,"
        return f"✓ {times} with {on(good[-1])}."
    near = min(enumerate(known), key=lambda item: (distance(stacks[item[1]], yours), -item[0]))[1]
    sign, told = ("✓", "Ran") if near in held else ("✗", "Missed its goal")
    if distance(stacks[near], yours) == 0:
        own = {name: version for name, version in stacks[near].items() if name in yours}
        rest = {name: version for name, version in stacks[near].items() if name not in yours}
        besides = f", with {written(rest)}" if written(rest) else ""
        return f"{sign} {told} on your versions: {written(own)}{besides} ({day(near)})."
    return f"Yours: {written(yours)}. Nearest run: {sign} {on(near)}."


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


def others(answer: Mapping[str, Any], cards: Cards, yours: Mapping[str, str]) -> list[dict[str, Any]]:
    """The next causes, with the title of the fix that stands on their pages for the last message."""
    found = []
    for cause in answer["causes"][1 : CAUSES + 1]:
        if cause["share"] < 1:
            break
        fix, _, _ = _fix(cards(cause["id"]), answer, yours, [])
        own = {key: cause[key] for key in ("id", "title", "url", "share")}
        found.append({**own, "fix": fix["title"] if fix else ""})
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
        found = [("verdict", answer["says"]), *asked, *line, ("means", shown["means"])]
        return [(kind, text) for kind, text in [*found, *_listed([own, *shown["others"]])] if text]
    found = [
        ("verdict", _verdict(answer, shown)),
        ("title", shown["title"]),
        *line,
        ("why", shown["why"]),
    ]
    found += [*change(shown), ("trap", shown["trap"]), *asked]
    return [(kind, text) for kind, text in [*found, *_listed(shown["others"])] if text]


def change(shown: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Of the words those of the change and of where it ran."""
    found = []
    if shown["fix"]:
        found += [("fix", shown["fix"]["title"]), ("goes", shown["fix"]["goes"])]
        found += [
            ("row", "⋯" if sign == "@" else f"{sign} {text}".rstrip()) for sign, text in shown["fix"]["rows"]
        ]
        found.append(("ran", shown["ran"]))
    return [(kind, text) for kind, text in [*found, ("elsewhere", shown["elsewhere"])] if text]


def _verdict(answer: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    if shown["denied"]:
        return f"{DENIED} ({shown['share']} %)."
    if answer["verdict"] == "cause":
        return str(answer["says"])
    return f"{shown['share']} % likely.{LIKELY[min(len(shown['questions']), 2)]}"


def _listed(causes: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    found = []
    for cause in causes:
        found += [("other", f"{cause['title']} ({cause['share']} %)"), ("other-fix", cause["fix"])]
    return found
