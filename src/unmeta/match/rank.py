"""Rank the causes of an index for a pasted text: symptoms, then clues, then frames and words.

All weights are whole numbers that the compiler put into the index; this module only looks up and adds,
so that Python and the browser come to the same order. `docs/assets/javascripts/matcher.js` repeats it
function by function.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from unmeta.match.paste import Frame, Paste, words_of
from unmeta.match.template import QUOTES, Span, fold, spans

HEAD = 16  # characters of a literal that show it at all; a message cut off at its end has at least these
CUT = 24  # from here on a message may be cut anywhere, below only at the end of a line
SHOWN = 12  # causes in an answer
YES, NO = 1, -1
BOUND = ("earlier", "not_earlier", "wording")  # clues whose answer depends on the symptom they stand with
_TOKEN = re.compile(r"[a-z0-9]+")
_SPACES = re.compile(r"[-_ \n]+")
_QUOTE = re.compile("[" + QUOTES[:3] + "]+")
_SIGN = re.compile(
    r"(?:device|type)[ =(]{1,3}meta(?![a-z0-9/])"
    r"|(?:^|[^a-z0-9.])meta (?:tensors?|device|parameters?|params?|weights?|buffers?|backend|kernels?|init"
    r"|module|modules|state|storage)(?![a-z0-9])"
    r"|(?:^|[^a-z0-9])(?:on|to|onto|from|in|is|are|left|still|stuck|remains?|stays?|device) (?:the )?meta"
    r"(?! ?(?:llama|ai|platforms?|inc|learning|opt|research|seamless|chameleon"
    r"|prompt|data|class|quest|tags?))"
    r"(?![a-z0-9/.])"
    r"|(?:^|[^a-z0-9])\(meta\)|is meta(?![a-z0-9])"
)
_PRINTED = re.compile(r"(parameters|buffers): ([0-9]{1,9}) of ([0-9]{1,9}) on meta")
_HOOKS = re.compile(r"offload hooks: ([0-9]{1,9})")


def squash(text: str) -> str:
    """How mentions compare: lower case, no quotation marks, hyphens and underscores as blanks."""
    return _SPACES.sub(" ", _QUOTE.sub("", text.lower())).strip(" ")


class Seen:
    """A symptom found in a paste: its place in the index, the wording, where it stands and what it covers."""

    __slots__ = ("cut", "line", "name", "span", "symptom", "weight")

    def __init__(self, symptom: int, name: str, span: Span, weight: int, cut: bool) -> None:
        self.symptom, self.name, self.span, self.weight, self.cut = symptom, name, span, weight, cut
        self.line = 0


def sightings(wordings: list[Any], text: str, ends: set[int]) -> list[Seen]:
    """Every wording that stands in a folded text, cut ones too; of overlapping ones the longest literal."""
    found: list[tuple[int, int, int, int, Seen]] = []
    for order, (symptom, name, literals, pivot, size, meta) in enumerate(wordings):
        sought = literals[pivot]
        at = text.find(sought[:HEAD])
        if at < 0:
            continue
        whole = spans(literals, text)
        for span in whole:
            found.append((-size, 0, size, order, Seen(symptom, name, span, size, False)))
        if whole or len(sought) <= HEAD:
            continue
        for _ in range(4):
            length = _common(sought, text, at)
            if (length >= CUT or at + length in ends) and (not meta or "meta" in sought[:length]):
                known = name if length * 2 > size else ""
                found.append(
                    (-length, 1, size, order, Seen(symptom, known, [(at, at + length)], length, True))
                )
            at = text.find(sought[:HEAD], at + HEAD)
            if at < 0:
                break
    found.sort(key=lambda item: item[:4])
    kept: list[Seen] = []
    for item in found:
        start, end = item[4].span[0][0], item[4].span[-1][1]
        if all(end <= other.span[0][0] or start >= other.span[-1][1] for other in kept):
            kept.append(item[4])
    kept.sort(key=lambda seen: seen.span[0][0])
    return kept


def _common(literal: str, text: str, at: int) -> int:
    length = 0
    limit = min(len(literal), len(text) - at)
    while length < limit and literal[length] == text[at + length]:
        length += 1
    return length


def unsaid(lines: list[str], starts: list[int], seen: list[Seen]) -> list[str]:
    """The lines without the literals of the messages seen: the person's own words and values are left."""
    rest = list(lines)
    for sighting in seen:
        for start, end in sighting.span:
            line = bisect_right(starts, start) - 1
            while line < len(lines) and starts[line] < end:
                at = starts[line]
                kept = []
                for char, own in zip(lines[line], rest[line], strict=True):
                    covered = start <= at < end
                    kept.append(" " if covered else own)
                    if char not in " `'\"":
                        at += 1
                rest[line] = "".join(kept)
                line += 1
    return rest


class Evidence:
    """What a paste offers to the clues: frames, symptoms with places, mentions, words and versions."""

    __slots__ = (
        "complete", "features", "frames", "last", "names", "seen", "sign", "text", "tokens",
        "versions", "words",
    )  # fmt: skip

    def __init__(self, paste: Paste, wordings: list[Any]) -> None:
        folded = [fold(line) for line in paste.lines]
        starts, at = [], 0
        for line in folded:
            starts.append(at)
            at += len(line)
        ends = {*starts, at}
        self.seen = sightings(wordings, "".join(folded), ends)
        for sighting in self.seen:
            sighting.line = bisect_right(starts, sighting.span[0][0]) - 1
        rest = unsaid(paste.lines, starts, self.seen)
        self.frames = paste.frames
        self.complete = paste.complete
        self.versions = paste.versions
        self.names = {f"{frame.module}:{frame.function}" for frame in paste.frames}
        self.features = features_of(paste.frames)
        self.text = squash("\n".join(rest))
        printed = printed_facts("\n".join(rest))
        if printed:
            self.text += " " + printed
        self.sign = _SIGN.search(self.text) is not None
        at_frames = {frame.at for frame in paste.frames}
        own = [line for at, line in enumerate(rest) if at not in at_frames]
        own += [f"{frame.module.partition('/')[0]} {frame.function}" for frame in paste.frames]
        self.words = words_of("\n".join(own))
        self.tokens = set(_TOKEN.findall(self.text))
        self.tokens.update(words_of("\n".join(rest)))
        self.last = {sighting.symptom: sighting for sighting in self.seen}


def printed_facts(text: str) -> str:
    """What the output of the two suggested lines says, in words that entries can mention; else empty."""
    facts = []
    for found in _PRINTED.finditer(text):
        kind, count, total = found[1], int(found[2]), int(found[3])
        amount = "no" if not count else "all" if count == total else "some"
        facts.append(f"{amount} {kind} are on meta")
    if facts and (hooks := _HOOKS.search(text)):
        facts.append("offload hooks are attached" if int(hooks[1]) else "no offload hooks are attached")
    return ", ".join(facts)


def features_of(frames: list[Frame]) -> list[str]:
    """What runs are compared by: functions passed through, the last one, and the person's own code."""
    features: dict[str, None] = {}
    loading = False
    for frame in frames:
        name = f"{'user' if frame.user else frame.module}:{frame.function}"
        features.setdefault(name)
        if frame.user and loading and frame.function == "__init__":
            features.setdefault("from_pretrained>__init__")
        loading = loading or frame.function in ("from_pretrained", "from_config", "_from_config")
        if frame.user and frame.code:
            features.setdefault("=" + fold(frame.code)[:200])
    if frames:
        frame = frames[-1]
        features.setdefault(f"last {'user' if frame.user else frame.module}:{frame.function}")
    return list(features)


def passes(value: str, evidence: Evidence) -> bool:
    """Whether the frames go through `module:name > module:name` in order; a module may be `*` or `user`."""
    if " " not in value and value[0] != "*" and value[:5] != "user:":
        return value in evidence.names
    steps = value.split(" > ")
    step = 0
    for frame in evidence.frames:
        module, _, name = steps[step].partition(":")
        fits = module == "*" or (frame.user if module == "user" else module == frame.module)
        if fits and name == frame.function:
            step += 1
            if step == len(steps):
                return True
    return False


def mentioned(value: str, text: str) -> bool:
    """Whether a squashed text has the squashed value, not inside a longer word."""
    at = text.find(value)
    for _ in range(40):
        if at < 0:
            return False
        end = at + len(value)
        if not (at > 0 and _word(value[0]) and _word(text[at - 1])) and not (
            end < len(text) and _word(value[-1]) and _word(text[end])
        ):
            return True
        at = text.find(value, at + 1)
    return False


def _word(char: str) -> bool:
    return "a" <= char <= "z" or "0" <= char <= "9"


def inside(ranges: Mapping[str, str], versions: Mapping[str, str]) -> int:
    """YES where all stated versions are inside, NO where one is outside, 0 where none is stated."""
    result = 0
    for package, wanted in ranges.items():
        if package in versions:
            version = numbers(versions[package])
            for part in wanted.split(","):
                if not _holds(part.strip(" "), version):
                    return NO
            result = YES
    return result


def numbers(version: str) -> list[int]:
    """The leading numbers of a version: 2.6.0+cu124 is [2, 6, 0]."""
    result = []
    for part in version.split("+")[0].split("."):
        digits = ""
        for char in part:
            if not "0" <= char <= "9":
                break
            digits += char
        if not digits:
            break
        result.append(int(digits))
        if digits != part:
            break
    return result


def _holds(part: str, version: list[int]) -> bool:
    sign = part[:2] if part[:2] in (">=", "<=", "==", "!=", "~=") else part[:1]
    text = part[len(sign) :].strip(" ")
    wanted = numbers(text)
    if sign in ("==", "!=") or len(version) < 2:
        size = min(len(wanted), len(version))
        if sign in (">", "<", ">=", "<="):
            order = _order(version[:size], wanted[:size])
            return order >= 0 if sign[0] == ">" else order <= 0
        if text.endswith("*") or len(version) < len(wanted):
            return (version[:size] == wanted[:size]) == (sign == "==")
        return (_order(version, wanted) == 0) == (sign == "==")
    order = _order(version, wanted)
    if sign == ">=":
        return order >= 0
    if sign == "<=":
        return order <= 0
    if sign == ">":
        return order > 0
    if sign == "<":
        return order < 0
    return order >= 0 and version[: len(wanted) - 1] == wanted[:-1]


def _order(left: list[int], right: list[int]) -> int:
    for at in range(max(len(left), len(right))):
        a = left[at] if at < len(left) else 0
        b = right[at] if at < len(right) else 0
        if a != b:
            return 1 if a > b else -1
    return 0


class Matcher:
    """An index made ready; `explain` answers for one text after the other."""

    def __init__(self, index: dict[str, Any]) -> None:
        self.index = index
        self.ids = {symptom["id"]: at for at, symptom in enumerate(index["symptoms"])}
        self.wordings = []
        for at, symptom in enumerate(index["symptoms"]):
            for name, literals in symptom["wordings"]:
                self.wordings.append(_wording(at, name, literals))
        self.alike = []
        for at, other in enumerate(index["lookalikes"]):
            for literals in other["messages"]:
                self.alike.append(_wording(at, "", literals))
        self.vocabulary: dict[str, list[str]] = {}

    def explain(self, text: str, answers: Mapping[str, bool] | None = None) -> dict[str, Any]:
        """Causes of a meta problem for a text, best first; see `unmeta.match` for the object.

        `answers` are by clue id. Never raises for any text.
        """
        paste = Paste(text)
        evidence = Evidence(paste, self.wordings)
        scores, clues = self._scores(evidence, answers or {})
        symptoms = list(dict.fromkeys(seen.symptom for seen in evidence.seen))
        ranked = self._ranked(scores, symptoms)
        return self._answer(paste, evidence, symptoms, ranked, scores, clues)

    def _scores(self, evidence: Evidence, answers: Mapping[str, bool]) -> tuple[list[int], list[list[Any]]]:
        """Score of every cause, and its clues as [clue, answer] pairs."""
        index = self.index
        weights = index["weights"]
        causes = index["causes"]
        scores = [cause["prior"] for cause in causes]
        final = evidence.seen[-1].symptom if evidence.seen else -1
        state: dict[int, tuple[int, int, str]] = {}
        answered: list[list[Any]] = [[] for _ in causes]
        for at, cause in enumerate(causes):
            named = 0
            done: set[int] = set()
            counted: set[str] = set()
            for symptom, alone, clues in cause["shown"]:
                seen = symptom in evidence.last
                if seen:
                    scores[at] += index["symptoms"][symptom]["weight"]
                    if symptom == final:
                        scores[at] += weights["final"]
                    if alone:
                        named = weights["alone"]
                for clue in clues:
                    key = index["clues"][clue]["key"]
                    if clue in done or not (seen or key == "mentions"):
                        continue
                    done.add(clue)
                    if clue not in state or key in BOUND:
                        state[clue] = self._told(index["clues"][clue], symptom, evidence, answers)
                    told, weight, hit = state[clue]
                    if (told == 0 and not seen) or (hit and hit in counted):
                        continue
                    counted.add(hit)
                    scores[at] += weight
                    answered[at].append([clue, told])
            scores[at] += named
            if cause["applies"] and inside(cause["applies"], evidence.versions) == NO:
                scores[at] -= weights["outside"]
        self._add_frames(scores, evidence)
        self._add_words(scores, evidence)
        return scores, answered

    def _told(
        self, clue: dict[str, Any], symptom: int, evidence: Evidence, answers: Mapping[str, bool]
    ) -> tuple[int, int, str]:
        """What the paste says to a clue (YES, NO or 0), the points that it is worth, and what was found."""
        key, values = clue["key"], clue["values"]
        against = self.index["weights"]["against"]
        if clue["id"] in answers:
            weight = self.index["weights"]["answer"]
            return (YES, weight, "") if answers[clue["id"]] else (NO, -weight, "")
        points, hit = 0, ""
        if key in ("through", "not_through"):
            for weight, value in values:
                if weight > points and passes(value, evidence):
                    points, hit = weight, value
            if key == "not_through":
                return (
                    (NO, -points, hit) if points else (YES, against, "") if evidence.complete else (0, 0, "")
                )
            return (YES, points, hit) if points else (NO, -against, "") if evidence.complete else (0, 0, "")
        if key in ("mentions", "not_mentions"):
            for weight, value, token in values:
                if (
                    weight > points
                    and token in evidence.tokens
                    and (value == token or mentioned(value, evidence.text))
                ):
                    points, hit = weight, value
            if not points:
                return 0, 0, ""
            return (NO, -points, hit) if key == "not_mentions" else (YES, points, hit)
        if key in BOUND and symptom not in evidence.last:
            return 0, 0, ""
        if key in ("earlier", "not_earlier"):
            here = evidence.last[symptom].span[0][0]
            for weight, value in values:
                if any(seen.symptom == value and seen.span[0][0] < here for seen in evidence.seen):
                    return (YES, weight, "") if key == "earlier" else (NO, -weight, "")
        elif key == "wording":
            name = evidence.last[symptom].name
            if name:
                weight = values[0][0]
                return (YES, weight, "") if any(value == name for _, value in values) else (NO, -weight, "")
        elif key == "version":
            told = inside(values[1], evidence.versions)
            return told, told * values[0], ""
        return 0, 0, ""

    def _add_frames(self, scores: list[int], evidence: Evidence) -> None:
        """Points for looking like a recorded run: weight of what is shared times its share of the run."""
        index = self.index
        shared: dict[int, int] = {}
        for feature in evidence.features:
            weight_and_runs = index["features"].get(feature)
            if weight_and_runs:
                for run in weight_and_runs[1:]:
                    shared[run] = shared.get(run, 0) + weight_and_runs[0]
        best: dict[int, int] = {}
        for run, weight in shared.items():
            cause, total = index["runs"][run]
            points = weight * weight // total
            if points > best.get(cause, 0):
                best[cause] = points
        for cause, points in best.items():
            scores[cause] += points

    def _add_words(self, scores: list[int], evidence: Evidence) -> None:
        """Points for the words of a paste that stand in an entry; many words make each weigh less."""
        index = self.index
        known = index["words"]
        words = evidence.words
        if len(words) <= 60:
            words = list(dict.fromkeys(word if word in known else self._corrected(word) for word in words))
        points: dict[int, int] = {}
        for word in words:
            posting = known.get(word)
            if posting:
                for at in range(0, len(posting), 2):
                    points[posting[at]] = points.get(posting[at], 0) + posting[at + 1]
        share = index["weights"]["words"]
        for cause, sum_ in points.items():
            scores[cause] += sum_ * share // (share + len(words))

    def _corrected(self, word: str) -> str:
        """A known word that differs by one slip of the finger, else the word."""
        if len(word) < 5:
            return word
        if not self.vocabulary:
            for known in self.index["words"]:
                self.vocabulary.setdefault(known[0], []).append(known)
        for known in self.vocabulary.get(word[0], ()):
            if -2 < len(known) - len(word) < 2 and len(known) > 4 and _near(word, known):
                return known
        return word

    def _ranked(self, scores: list[int], symptoms: list[int]) -> list[int]:
        causes = self.index["causes"]
        order = sorted(
            range(len(causes)), key=lambda at: (-scores[at], -causes[at]["prior"], causes[at]["id"])
        )
        shows = [at for at in order if any(shown[0] in symptoms for shown in causes[at]["shown"])]
        least = scores[shows[min(2, len(shows) - 1)]] if shows else 0
        listed = set(shows)
        return [at for at in order if at in listed or scores[at] > max(least, causes[at]["prior"])]

    def _answer(
        self,
        paste: Paste,
        evidence: Evidence,
        symptoms: list[int],
        ranked: list[int],
        scores: list[int],
        clues: list[list[Any]],
    ) -> dict[str, Any]:
        index = self.index
        weights = index["weights"]
        why_not = None
        top = scores[ranked[0]] - index["causes"][ranked[0]]["prior"] if ranked else 0
        if symptoms:
            lead = scores[ranked[0]] - scores[ranked[1]] if len(ranked) > 1 else weights["lead"]
            sure = bool(ranked) and lead >= weights["lead"]
            verdict = "cause" if sure else "symptom"
        else:
            why_not = self._look_alike(paste)
            if evidence.sign and not (why_not and why_not["strong"]):
                verdict = "guess" if top >= weights["guess"] else "unlisted"
            elif why_not or paste.messages or top < weights["guess"]:
                verdict = "look-alike" if why_not else "nothing"
            else:
                verdict = "guess"
        known = verdict in ("cause", "symptom", "guess", "unlisted")
        if known:
            why_not = None
        return {
            "known": known,
            "verdict": verdict,
            "says": index["says"][verdict],
            "symptoms": [index["symptoms"][at]["id"] for at in symptoms],
            "seen": [
                {
                    "id": index["symptoms"][seen.symptom]["id"],
                    "title": index["symptoms"][seen.symptom]["title"],
                    "url": index["site"] + "e/" + index["symptoms"][seen.symptom]["id"] + "/",
                    "wording": seen.name,
                    "line": seen.line + 1,
                    "text": paste.lines[seen.line][:300],
                }
                for seen in evidence.seen
            ],
            "causes": [self._cause(at, scores[at], clues[at]) for at in ranked[:SHOWN]],
            "why_not": why_not and {key: why_not[key] for key in ("id", "title", "says")},
            "next": None
            if verdict == "cause" or not known
            else {"says": index["says"]["next"], "code": index["says"]["code"]},
        }

    def _cause(self, at: int, score: int, clues: list[Any]) -> dict[str, Any]:
        cause = self.index["causes"][at]

        def told(wanted: int) -> list[dict[str, str]]:
            shown = [self.index["clues"][clue] for clue, answer in clues if answer == wanted]
            return [
                {"clue": clue["key"], "id": clue["id"], "says": clue["says"]}
                for clue in shown
                if wanted or clue["key"] == "ask"
            ]

        return {
            "id": cause["id"],
            "title": cause["title"],
            "url": self.index["site"] + "e/" + cause["id"] + "/",
            "score": score,
            "yes": told(YES),
            "no": told(NO),
            "open": told(0),
        }

    def _look_alike(self, paste: Paste) -> dict[str, Any] | None:
        folded = [fold(line) for line in paste.lines]
        ends, at = {0}, 0
        for line in folded:
            at += len(line)
            ends.add(at)
        seen = sightings(self.alike, "".join(folded), ends)
        other: dict[str, Any] | None = self.index["lookalikes"][seen[-1].symptom] if seen else None
        return other


def _wording(at: int, name: str, literals: list[str]) -> tuple[int, str, list[str], int, int, bool]:
    pivot = 0
    for place, literal in enumerate(literals):
        if len(literal) > len(literals[pivot]):
            pivot = place
    return at, name, literals, pivot, sum(map(len, literals)), any("meta" in literal for literal in literals)


def _near(word: str, known: str) -> bool:
    """Whether one letter was added, left out or mistaken, or two neighbours swapped."""
    start = 0
    least = min(len(word), len(known))
    while start < least and word[start] == known[start]:
        start += 1
    a, b = word[start:], known[start:]
    if len(a) == len(b):
        return a[1:] == b[1:] or (a[:1] == b[1:2] and a[1:2] == b[:1] and a[2:] == b[2:])
    return a[1:] == b or a == b[1:]
