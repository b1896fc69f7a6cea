"""Score the causes of an index for a paste, and answer.

Every number comes from the index, where they are whole hundredths of a logit: claims of entries weighed
by the fit, and what the fit learnt besides. This module looks up and adds, so that Python and the
browser come to the same order; `docs/assets/javascripts/matcher.js` does the same.
"""

from __future__ import annotations

from math import exp, isqrt

from unmeta.match.evidence import Evidence, numbers, order, sightings, wording
from unmeta.match.pack import points, unpack
from unmeta.match.read import MESSAGE, Reader

TYPE_CHECKING = False  # the module typing would cost a third of a cold start
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from unmeta.match.read import PasteFrame

SHOWN = 24  # causes in an answer
LEARNT = 3  # learned reasons that are named for a cause
YES, NO = 1, -1
BOUND = ("earlier", "not_earlier", "wording")  # clues whose answer depends on the symptom they stand with
TRACED, WORDED = "mMnqokcxyFfeshadpz", "mqokcad"  # zones that tell whether a text is about meta
THROUGH = ("through", "not_through")  # clues that ask for functions
CHECKED = ("through", "calls", "says", "holes", "earlier", "ask")
CROWDED = "afdch"  # zones of which a paste may have many features: each then counts less


class Told:
    """What a paste says to one clue: YES, NO or 0; the kind of claim and how much of it; line and words."""

    __slots__ = ("amount", "answer", "found", "group", "line", "points")

    def __init__(
        self, answer: int, group: str = "", amount: int = 0, line: int = -1, found: str = ""
    ) -> None:
        self.answer, self.group, self.amount, self.line, self.found = answer, group, amount, line, found
        self.points = 0


NOTHING = Told(0)
NONE_LEARNT: list[tuple[int, int]] = []


class Matcher:
    """An index made ready; `explain` answers for one text after the other."""

    def __init__(self, index: dict[str, Any]) -> None:
        self.index = index
        self.reader = Reader(index["grammar"])
        self.names = [symptom["id"] for symptom in index["symptoms"]]
        self.wordings = [
            wording(at, name, literals)
            for at, symptom in enumerate(index["symptoms"])
            for name, literals in symptom["wordings"]
        ]
        self.messages = list(index["messages"])
        self.wordings += [
            wording(len(self.names) + at, name, literals)
            for at, name in enumerate(self.messages)
            for literals in index["messages"][name]["texts"]
        ]
        self.alike = [
            wording(at, "", literals)
            for at, other in enumerate(index["lookalikes"])
            for literals in other["messages"]
        ]
        self.learnt = unpack(index["learnt"])
        self.opened: dict[str, list[tuple[int, int]]] = {}  # of `learnt` what was asked for
        self.known = index["known"]
        self.asked: dict[str, list[tuple[int, int, str]]] = {}  # by feature or function: clue, rarity, group
        self.phrases: list[tuple[str, int, int]] = []
        self.paths: list[tuple[str, int, int, str]] = []
        for row, (key, _, *values) in enumerate(index["clues"]):
            if key in ("calls", "holes", "says", *THROUGH):
                for rare, value in values:
                    if key == "says":
                        self.phrases.append((value, row, rare))
                    elif key in THROUGH and (" > " in value or value[0] == "*" or value[:5] == "user:"):
                        group = "path" if key == "through" and " > " in value else key
                        self.paths.append((value, row, rare, group))
                    else:
                        self.asked.setdefault(value, []).append((row, rare, key))

    def evidence(self, text: str) -> Evidence:
        """What a text offers."""
        return Evidence(self.reader.read(text), self.wordings, self.names, self.reader, self.messages)

    def explain(self, text: str, answers: Mapping[str, bool] | None = None) -> dict[str, Any]:
        """Causes of a meta problem for a text, best first; see `unmeta.match` for the object.

        `answers` are by clue id. Never raises for any text.
        """
        return self.rank(self.evidence(text), answers)

    def rank(self, evidence: Evidence, answers: Mapping[str, bool] | None = None) -> dict[str, Any]:
        """The same for evidence that is there already."""
        scores, told = self.scores(evidence, answers or {})
        ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
        return self._answer(evidence, ranked, scores, told)

    def scores(self, evidence: Evidence, answers: Mapping[str, bool]) -> tuple[list[int], list[list[Any]]]:
        """Hundredths of a logit by cause, and the clues that the paste answers or a person could."""
        scores = self.residual(evidence)
        weights = self.index["weights"]
        told = []
        hits = self.hits(evidence)
        for at, cause in enumerate(self.index["causes"]):
            claims, clues = self.claims(cause, evidence, hits, answers)
            for group, amount in claims:
                scores[at] += weights[group] * amount // 100
            for _, result in clues:
                if result.group:
                    result.points = weights[result.group] * result.amount // 100
            told.append(clues)
        return scores, told

    def residual(self, evidence: Evidence) -> list[int]:
        """What the fit learnt besides the claims of entries: points by cause."""
        scores = list(self.index["bias"])
        crowd: dict[str, list[str]] = {}
        for feature in evidence.features:
            zone = feature[0]
            if zone in CROWDED:
                crowd.setdefault(zone, []).append(feature)
            else:
                self._tally(feature, 100, scores)
        for features in crowd.values():
            share = shared(len(features))
            for feature in features:
                self._tally(feature, share, scores)
        return scores

    def _tally(self, feature: str, share: int, scores: list[int]) -> None:
        for cause, gain in self.points(feature):
            scores[cause] += gain * share // 100

    def points(self, feature: str) -> list[tuple[int, int]]:
        """(place of the cause, points) of what was learnt about a feature."""
        known = self.opened.get(feature)
        if known is None:
            posting = self.learnt.get(feature)
            if not posting:
                return NONE_LEARNT
            known = self.opened[feature] = points(posting)
        return known

    # --- claims of entries ---------------------------------------------------------------------

    def hits(self, evidence: Evidence) -> dict[int, Told]:
        """The clues that frames, code, prose and holes of a paste meet, each by its rarest value."""
        hits: dict[int, Told] = {}

        def hit(row: int, rare: int, group: str, line: int, value: str) -> None:
            if row not in hits or rare > hits[row].amount:
                hits[row] = Told(NO if group == "not_through" else YES, group, rare, line, value)

        for found in (evidence.names, evidence.features):
            for value, line in found.items():
                for row, rare, group in self.asked.get(value, ()):
                    hit(row, rare, group, line, value)
        if evidence.prose:
            for value, row, rare in self.phrases:
                line = evidence.said_in(value)
                if line >= 0:
                    hit(row, rare, "says", line, value)
        if evidence.paste.frames:
            for value, row, rare, group in self.paths:
                line = passes(value, evidence.paste.frames)
                if line >= 0:
                    hit(row, rare, group, line, value)
        return hits

    def claims(
        self,
        cause: Mapping[str, Any],
        evidence: Evidence,
        hits: Mapping[int, Told],
        answers: Mapping[str, bool],
    ) -> tuple[list[tuple[str, int]], list[tuple[int, Told]]]:
        """(kind of claim, per cent of its weight) for all that a cause claims of the paste, and its clues
        that are answered or could be, as (place of the clue, answer).
        """
        index = self.index
        clues = index["clues"]
        claims: list[tuple[str, int]] = []
        told: list[tuple[int, Told]] = []
        done: set[int] = set()
        shown = {row[0] for row in cause["shown"]}
        final = evidence.final.symptom if evidence.final else -1
        for symptom in evidence.last:
            if symptom in shown:
                claims.append(("final" if symptom == final else "other", index["symptoms"][symptom]["rare"]))
            else:
                claims.append(("unexplained", 100))
        if final >= 0 and final not in shown:
            claims.append(("unshown", 100))
        for symptom, alone, rows in cause["shown"]:
            here = symptom in evidence.last
            if here and alone:
                claims.append(("alone", 100))
            for row in rows:
                if row in done or (not here and clues[row][0] in (*BOUND, "ask")):
                    continue
                done.add(row)
                result = hits.get(row) or self._told(clues[row], symptom, here, evidence, answers)
                if result.group:
                    claims.append((result.group, result.amount))
                if result.answer or clues[row][0] == "ask":
                    told.append((row, result))
        if cause["applies"] and inside(cause["applies"], evidence.paste.versions) == NO:
            claims.append(("elsewhere", 100))
        return claims, told

    def _told(
        self, clue: list[Any], symptom: int, here: bool, evidence: Evidence, answers: Mapping[str, bool]
    ) -> Told:
        """What the paste says to a clue of a cause that shows the symptom; is it `here`?"""
        key, name, *values = clue
        if key == "ask":
            if name not in answers:
                return NOTHING
            return Told(YES, "answer", 100) if answers[name] else Told(NO, "answer", -100)
        if key == "version":
            told = inside(values[0], evidence.paste.versions)
            return Told(told, ("version_no", "", "version")[told + 1], 100)
        if key == "wording":
            seen = evidence.last[symptom]
            if not seen.name:
                return NOTHING
            if seen.name in values:
                return Told(YES, "wording", 100, seen.line)
            return Told(NO, "wording_no", 100, seen.line)
        if key in ("earlier", "not_earlier"):
            start = evidence.last[symptom].span[0][0]
            for rare, value in values:
                for seen in evidence.seen:
                    if seen.symptom == value and seen.span[0][0] < start:
                        return Told(YES if key == "earlier" else NO, key, rare, seen.line)
            return Told(0, "no_earlier", 100) if key == "earlier" else NOTHING
        if key in THROUGH and here and evidence.paste.complete:
            return Told(NO, "against", 100) if key == "through" else Told(YES)
        return NOTHING

    # --- the answer ----------------------------------------------------------------------------

    def is_known(self, evidence: Evidence) -> bool:
        """Whether a text is about the meta device."""
        signs = self.signs(evidence)
        return paged(signs) or self.doubt(signs) > 0

    def signs(self, evidence: Evidence) -> list[str]:
        """What tells a meta problem from others: messages, which one was raised last and by whom, and the
        zones that speak of the meta device; of a text without a traceback its words as well.
        """
        paste, index = evidence.paste, self.index
        kinds = {}
        for at in evidence.last:
            symptom = index["symptoms"][at]
            kinds[f"! {'notice' if symptom['notice'] else 'raised'} {symptom['weak']}"] = 0
        for name in evidence.spoken:
            kinds[f"! spoken {index['messages'][name]['meta']}"] = 0
        signs = ["! trace" if paste.messages or paste.frames else "! words", *kinds]
        ended = self.ended(evidence)
        if ended:
            signs.append(f"! ended {ended}")
            if ended != "known":
                signs += [f"{kind} then {ended}" for kind in kinds] or [f"! nothing then {ended}"]
        signs += [f"! sign {zone}" for zone in evidence.signed]
        if any(feature[2:] in self.reader.grammar["hints"] for feature in evidence.features):
            signs.append("! hint")
        other = self.look_alike(evidence)
        if other >= 0:
            alike = index["lookalikes"][other]
            signs += ["! alike" if kinds else "! alike alone", f"! alike {alike['id']}"]
            if alike["final"] and all(kind[:8] == "! notice" for kind in kinds):
                signs.append("! alike final")
            if alike["strong"]:
                signs.append("! alike strong")
        wanted = TRACED if signs[0] == "! trace" else WORDED
        return [*signs, *(feature for feature in evidence.features if feature[0] in wanted)]

    def ended(self, evidence: Evidence) -> str:
        """How the last exception of a paste is to be taken: `known`, or another one that the reader's code
        (`own`) or a library (`other`) raised; empty where none was raised.
        """
        paste = evidence.paste
        raised = [at for at, kind, _ in paste.messages if not kind.endswith("Warning")]
        if not raised:
            return ""
        at = raised[-1]
        while at < len(paste.lines) and (at == raised[-1] or paste.lines[at].zone == MESSAGE):
            if at in evidence.covered:
                return "known"
            at += 1
        before = [frame for frame in paste.frames if frame.at < raised[-1]]
        return "own" if before and before[-1].user else "other"

    def doubt(self, signs: list[str]) -> int:
        """Hundredths of a logit that a text with these signs is about the meta device; something besides the
        kind of text must say so.
        """
        weights = self.known["weights"]
        told = sum(weights.get(sign, 0) for sign in signs[1:])
        return int(min(told, told + self.known["bias"] + weights.get(signs[0], 0)))

    def look_alike(self, evidence: Evidence) -> int:
        """Place of the last message that people take for a meta problem; -1 where none stands."""
        if evidence.alike is None:
            seen = sightings(self.alike, evidence.text, evidence.ends)
            evidence.alike = seen[-1].symptom if seen else -1
        return evidence.alike

    def shares(self, scores: list[int]) -> list[float]:
        """How likely each cause is, by the fit's temperature."""
        top = max(scores, default=0)
        heat = self.index["heat"]
        parts = [exp((score - top) / heat) for score in scores]
        whole = sum(parts)
        return [part / whole for part in parts]

    def _answer(
        self, evidence: Evidence, ranked: list[int], scores: list[int], told: list[list[Any]]
    ) -> dict[str, Any]:
        index = self.index
        shares = self.shares(scores)
        known = self.is_known(evidence)
        first = 100 * shares[ranked[0]] if ranked else 0.0
        why_not = None
        if not known:
            other = self.look_alike(evidence)
            why_not = index["lookalikes"][other] if other >= 0 else None
            verdict = "look-alike" if why_not else "nothing"
        elif evidence.seen or evidence.spoken:
            best = told[ranked[0]]
            sure = (
                first >= index["sure"]
                and self.supported(ranked[0], best, evidence)
                and not any(result.answer == NO and index["clues"][row][0] == "ask" for row, result in best)
            )
            verdict = "cause" if sure else "symptom"
        else:
            verdict = "guess" if first >= index["guess"] else "unlisted"
        listed = [at for at in ranked if known and (100 * shares[at] >= 1 or self._shows(at, evidence))]
        lines = evidence.paste.lines
        gains = self._gains(evidence, listed[:SHOWN])
        return {
            "known": known,
            "verdict": verdict,
            "says": index["says"][verdict],
            "symptoms": [self.names[at] for at in dict.fromkeys(seen.symptom for seen in evidence.seen)],
            "seen": [
                {
                    "id": self.names[seen.symptom],
                    "title": index["symptoms"][seen.symptom]["title"],
                    "url": index["site"] + "e/" + self.names[seen.symptom] + "/",
                    "wording": seen.name,
                    "line": lines[seen.line].number,
                    "text": lines[seen.line].text[:300],
                }
                for seen in evidence.seen
            ],
            "causes": [
                self._cause(at, scores[at], shares[at], told[at], evidence, own) for at, own in gains.items()
            ],
            "why_not": why_not and {key: why_not[key] for key in ("id", "title", "says")},
            "next": None
            if verdict == "cause" or not known
            else {"says": index["says"]["next"], "code": index["says"]["code"]},
        }

    def supported(self, at: int, told: list[tuple[int, Told]], evidence: Evidence) -> bool:
        """Whether something that a person can check speaks for a cause, besides its message."""
        return any(
            result.answer == YES and self.index["clues"][row][0] in CHECKED for row, result in told
        ) or any(
            alone and symptom in evidence.last for symptom, alone, _ in self.index["causes"][at]["shown"]
        )

    def _shows(self, at: int, evidence: Evidence) -> bool:
        return any(row[0] in evidence.last for row in self.index["causes"][at]["shown"])

    def _cause(
        self,
        at: int,
        score: int,
        share: float,
        told: list[tuple[int, Told]],
        evidence: Evidence,
        gains: Mapping[int, int],
    ) -> dict[str, Any]:
        cause = self.index["causes"][at]
        lines = evidence.paste.lines
        kinds: dict[int, list[dict[str, Any]]] = {YES: [], NO: [], 0: []}
        quoted: set[tuple[str, int]] = set()
        for row, result in sorted(told, key=lambda item: -abs(item[1].points)):
            key, name, *values = self.index["clues"][row]
            says = self._says(key, values, result)
            if (says, result.answer) not in quoted:
                quoted.add((says, result.answer))
                line = lines[result.line] if result.line >= 0 else None
                kinds[result.answer].append(
                    {
                        "clue": key,
                        "id": name,
                        "says": says,
                        "line": line.number if line else 0,
                        "text": line.text[:120] if line else "",
                    }
                )
        kinds[YES] += self._learnt(gains, evidence, {item["line"] for item in kinds[YES]})
        return {
            "id": cause["id"],
            "title": cause["title"],
            "url": self.index["site"] + "e/" + cause["id"] + "/",
            "score": score,
            "share": int(100 * share + 0.5),
            "yes": kinds[YES],
            "no": kinds[NO],
            "open": kinds[0],
        }

    def _gains(self, evidence: Evidence, causes: list[int]) -> dict[int, dict[int, int]]:
        """What the lines of a paste have in common with known cases: points by cause and line."""
        gains: dict[int, dict[int, int]] = {at: {} for at in causes}
        for feature, line in evidence.features.items():
            if line >= 0 and feature[0] not in "mMnv":
                for cause, gain in self.points(feature):
                    if cause in gains:
                        gains[cause][line] = gains[cause].get(line, 0) + gain
        return gains

    def _learnt(self, gains: Mapping[int, int], evidence: Evidence, quoted: set[int]) -> list[dict[str, Any]]:
        """The lines that known cases of a cause have in common with the paste, the most telling first."""
        found: list[dict[str, Any]] = []
        for line in sorted(gains, key=lambda line: (-gains[line], line)):
            shown = evidence.paste.lines[line]
            if len(found) < LEARNT and gains[line] >= self.index["telling"] and shown.number not in quoted:
                found.append(
                    {
                        "clue": "learnt",
                        "id": f"learnt-{line}",
                        "says": self.index["says"]["learnt"],
                        "line": shown.number,
                        "text": shown.text[:120],
                    }
                )
        return found

    def _says(self, key: str, values: list[Any], result: Told) -> str:
        """A clue as a sentence; of several things that it may name only the one that was found."""
        written = self.index["written"]
        if key == "ask":
            return str(values[0])
        if key == "version":
            names = [f"{name} {wanted}" for name, wanted in values[0].items()]
        elif key == "wording":
            names = values
        elif key in ("earlier", "not_earlier"):
            names = [f"“{self.index['symptoms'][value]['title']}”" for _, value in values]
        else:
            asked = [result.found] if result.found else [value for _, value in values]
            marks = "“”" if key == "says" else "``"
            names = [marks[0] + written[value] + marks[1] for value in asked]
        key = key.replace("not_", "")
        if (key == "wording" and result.answer == NO) or (key == "through" and not result.found):
            key = "not_" + key
        return str(self.index["says"][key]).replace("{}", " or ".join(names))


def paged(signs: Sequence[str]) -> bool:
    """Whether the exception that was raised last has a page here and is about meta tensors by its words."""
    return "! ended known" in signs and "! raised 0" in signs


def shared(count: int) -> int:
    """Hundredths by which each of `count` features of a crowded zone counts."""
    return 100 if count <= 12 else 10000 // isqrt(count * 10000 // 12)


def passes(value: str, frames: list[PasteFrame]) -> int:
    """Line of the last of the frames that pass through `module:name > module:name` in order; -1 for none.

    A module may be `*` or `user`, a name `*`.
    """
    steps = value.split(" > ")
    step = 0
    for frame in frames:
        module, _, name = steps[step].partition(":")
        fits = module == "*" or (frame.user if module == "user" else module == frame.module)
        if fits and name in ("*", frame.function):
            step += 1
            if step == len(steps):
                return frame.at
    return -1


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


def _holds(part: str, version: list[int]) -> bool:
    sign = part[:2] if part[:2] in (">=", "<=", "==", "!=", "~=") else part[:1]
    text = part[len(sign) :].strip(" ")
    wanted = numbers(text)
    if sign in ("==", "!=") or len(version) < 2:
        size = min(len(wanted), len(version))
        if sign in (">", "<", ">=", "<="):
            compared = order(version[:size], wanted[:size])
            return compared >= 0 if sign[0] == ">" else compared <= 0
        if text.endswith("*") or len(version) < len(wanted):
            return (version[:size] == wanted[:size]) == (sign == "==")
        return (order(version, wanted) == 0) == (sign == "==")
    compared = order(version, wanted)
    if sign == ">=":
        return compared >= 0
    if sign == "<=":
        return compared <= 0
    if sign == ">":
        return compared > 0
    if sign == "<":
        return compared < 0
    return compared >= 0 and version[: len(wanted) - 1] == wanted[:-1]
