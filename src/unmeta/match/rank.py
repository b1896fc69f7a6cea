"""Rank the causes of an index for a pasted text: symptoms, then clues, then frames and words.

All weights are whole numbers that the compiler put into the index; this module only looks up and adds,
so that Python and the browser come to the same order. `docs/assets/javascripts/matcher.js` repeats it
function by function.
"""

from __future__ import annotations

import re
from binascii import crc32
from bisect import bisect_right
from math import isqrt

from unmeta.match.pack import tally, unpack
from unmeta.match.paste import REPEATED, Frame, Later, Paste, words_of
from unmeta.match.template import QUOTES, fold, spans

TYPE_CHECKING = False  # the module typing would cost a third of a cold start
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from unmeta.match.template import Span

HEAD = 16  # characters of a literal that show it at all; a message cut off at its end has at least these
CHANCE = 8  # letters that a message that is cut off must show beyond one that is whole
CUT = 24  # from here on a message may be cut anywhere, below only at the end of a line
SHOWN = 24  # causes in an answer
CODE = 28  # characters by which a line of code is known
END = 5  # frames by whose names the end of a traceback is known
TELLING = 24  # points of shared features that make likeness to a run worth all its points
CLOSE = 28  # causes whose clues are all looked at
TRACE = 24  # characters by which a cleaned line is found again in the text
YES, NO = 1, -1
PLUMBING = "torch/nn/modules/module"
# Names of accelerate's hooks, which keep weights on meta, and functions that run for meta tensors only.
HOOKED = ("weights map", "sequentialhook", "aligndeviceshook", " hf hook")
# Names that only programs with meta or offloaded weights use; where no exception stands, they are a sign too.
HINTS = frozenset((
    "init_empty_weights", "to_empty", "hf_device_map",
    "cpu_ram_efficient_loading", "fsdp_cpu_ram_efficient_loading",
))  # fmt: skip
META_ONLY = ("register_empty_parameter", "register_empty_buffer", "meta_local_scalar_dense")
BOUND = ("earlier", "not_earlier", "wording")  # clues whose answer depends on the symptom they stand with
_TOKEN = re.compile(r"[a-z0-9]+")
_SQUASHED = str.maketrans("-_\n", "   ", QUOTES[:3])
_SIGN = re.compile(
    r"(?:device|type)[ =(]{1,3}meta(?![a-z0-9/])"
    r"|(?:^|[^a-z0-9.])meta (?:tensors?|device|parameters?|params?|weights?|buffers?|backend|kernels?|init"
    r"|module|modules|state|storage)(?![a-z0-9])"
    r"|(?:^|[^a-z0-9])(?:on|to|onto|from|in|is|are|be|left|still|stuck|remains?|stays?|device"
    r"|torch has no attribute):? (?:the )?meta"
    r"(?! ?(?:llama|ai|platforms?|inc|learning|opt|research|seamless|chameleon"
    r"|prompt|data|class|quest|tags?|logo|store|horizon|business|verified))"
    r"(?![a-z0-9/.])"
    r"|(?:^|[^a-z0-9])\(meta\)|dispatchkey.meta|meta[a-z]{3,8}type(?![a-z0-9])"
)
# In the list of backends that torch prints after a missing kernel one line tells the operator's kind.
_REGISTERED = Later(
    r"\b(?!FuncTorchBatched:)[A-Za-z]{1,60}: (?:fallthrough )?registered at [^ \n]{1,200} \[[a-z ]{1,20}\]"
)
_PRINTED = Later(r"(parameters|buffers): ([0-9]{1,9}) of ([0-9]{1,9}) on meta")
_HOOKS = Later(r"accelerate hooks: ([0-9]{1,9})")


def squash(text: str) -> str:
    """How mentions compare: lower case, no quotation marks, hyphens and underscores as blanks."""
    return " ".join(filter(None, text.lower().translate(_SQUASHED).split(" ")))


class Seen:
    """A symptom found in a paste: its place in the index, the wording (empty where it is cut off too
    early to tell), what it covers and the line that it begins in.
    """

    __slots__ = ("line", "name", "span", "symptom")

    def __init__(self, symptom: int, name: str, span: Span) -> None:
        self.symptom, self.name, self.span, self.line = symptom, name, span, 0


def sightings(wordings: list[Any], text: str, ends: set[int]) -> list[Seen]:
    """Every wording that stands in a folded text, cut ones too; of overlapping ones the longest literal."""
    found: list[tuple[int, int, int, int, Seen]] = []
    for order, (symptom, name, literals, lead, size, meta) in enumerate(wordings):
        sought = literals[lead]
        at = text.find(sought[:HEAD])
        if at < 0:
            continue
        whole = spans(literals, text)
        for span in whole:
            found.append((-size, 0, size, order, Seen(symptom, name, span)))
        if whole or len(sought) <= HEAD:
            continue
        for _ in range(4):
            length = _common(sought, text, at)
            if "meta" in sought[:length]:
                enough = length >= CUT or at + length in ends
            else:  # such a message says less: it must stop where it is cut, or at a hole that is too long
                stop = at + length in ends or text.startswith("...", at + length)
                cut = stop and length >= min(CUT + 12, max(CUT, size // 2))
                hole = length == len(sought) and length >= CUT + HEAD
                enough = not meta and (cut or hole or length * 10 >= size * 9)
            if enough:
                known = name if length * 2 > size else ""
                # A few letters more than a whole message may agree by chance.
                seen = Seen(symptom, known, [(at, at + length)])
                found.append((CHANCE - length, 1, size, order, seen))
            at = text.find(sought[:HEAD], at + HEAD)
            if at < 0:
                break
    if not found:
        for order, (symptom, _, literals, _, size, _) in enumerate(wordings):
            rest = _beheaded(literals, text)
            if rest:
                length = rest[1] - rest[0]
                found.append((-length, 1, size, order, Seen(symptom, "", [rest])))
    found.sort(key=lambda item: item[:4])
    kept: list[Seen] = []
    for item in found:
        start, end = item[4].span[0][0], item[4].span[-1][1]
        if all(end <= other.span[0][0] or start >= other.span[-1][1] for other in kept):
            kept.append(item[4])
    kept.sort(key=lambda seen: seen.span[0][0])
    return kept


def _beheaded(literals: list[str], text: str) -> tuple[int, int] | None:
    """Where the longest literal stands without its beginning, and still speaks of meta; else None."""
    sought = max(literals, key=len)
    at = text.find(sought[-CUT:]) if len(sought) > 2 * CUT else -1
    if at < 0:
        return None
    length = CUT
    while length < len(sought) and length - CUT < at and sought[-length - 1] == text[at + CUT - length - 1]:
        length += 1
    end = at + CUT
    return (end - length, end) if length >= 2 * CUT and "meta" in sought[-length:] else None


def _common(literal: str, text: str, at: int) -> int:
    length = 0
    limit = min(len(literal), len(text) - at)
    while length < limit and literal[length] == text[at + length]:
        length += 1
    return length


def unsaid(lines: list[str], starts: list[int], seen: list[Seen]) -> list[str]:
    """The lines without the literals of the messages seen: the person's own words and values are left."""
    rest = list(lines)
    places: dict[int, list[int]] = {}
    for sighting in seen:
        for start, end in sighting.span:
            line = bisect_right(starts, start) - 1
            while line < len(lines) and starts[line] < end:
                if line not in places:
                    places[line] = [at for at, char in enumerate(lines[line]) if char not in " `'\""]
                own = places[line]
                first, last = max(start - starts[line], 0), min(end - starts[line], len(own)) - 1
                if first <= last:
                    a, b = own[first], own[last] + 1
                    rest[line] = rest[line][:a] + " " * (b - a) + rest[line][b:]
                line += 1
    return rest


class Evidence:
    """What a paste offers to the clues: frames, symptoms with places, mentions, words and versions."""

    __slots__ = (
        "complete", "features", "frames", "hinted", "last", "names", "seen", "sign", "text", "tokens",
        "versions", "wholes", "words",
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
        for frame in paste.frames:
            # A library's functions and source lines are nobody's words; of the person's own the names count.
            rest[frame.at] = f"{frame.module} {frame.function}" if frame.user else frame.module
            if frame.code and not frame.user:
                rest[frame.code_at] = ""
        self.frames = paste.frames
        self.complete = paste.complete
        self.versions = paste.versions
        self.names = {f"{frame.module}:{frame.function}" for frame in paste.frames}
        if stop := stopped_at(paste.frames, "torch" in paste.versions):
            self.names.add(f"{PLUMBING}:_apply({stop})")
        self.features = features_of(paste.frames)
        if paste.frames and not paste.complete:
            self.features += ending(paste.frames)
            if paste.frames[0].at > 0:
                above = paste.lines[paste.frames[0].at - 1]  # of a frame whose own line was cut off
                self.features.append("=" + fold(above)[:CODE])
        self.features += dict.fromkeys(f"seen {sighting.symptom}" for sighting in self.seen)
        whole = "\n".join(rest)
        if "registered at " in whole:
            whole = _REGISTERED.sub("", whole)
            rest = whole.split("\n")
        self.text = squash(whole)
        for fact in (printed_facts(whole), *(f"[rank{rank}]" for rank in paste.ranks[:8])):
            if fact:
                self.text += " " + fact
        self.sign = signed(self.text) or any(frame.function in META_ONLY for frame in paste.frames)
        at_frames = {frame.at for frame in paste.frames}
        own = [line for at, line in enumerate(rest) if at not in at_frames and not line.startswith(REPEATED)]
        own += [
            f"{frame.module.partition('/')[0]} {frame.function}"
            for frame in paste.frames
            if frame.module != PLUMBING
        ]
        said = "\n".join(own)
        self.words, self.wholes = words_of(said), words_of(said, whole=True)
        self.hinted = not HINTS.isdisjoint(self.words)
        self.tokens = {*_TOKEN.findall(self.text), *self.words}
        self.last = {sighting.symptom: sighting for sighting in self.seen}

    def traits(self) -> list[str]:
        """What reports are compared by: words and functions of libraries, each once.

        Methods of `torch.nn.Module` stand in most tracebacks and tell nothing.
        """
        names = [
            f"{frame.module}:{frame.function}"
            for frame in self.frames
            if not frame.user and frame.module != PLUMBING
        ]
        return list(dict.fromkeys([*self.wholes, *names]))


def signed(text: str) -> bool:
    """Whether a squashed text speaks of the meta device, and not of a company, a class or a web page."""
    if any(name in text for name in HOOKED):
        return True
    at = text.find("meta")
    for _ in range(200):
        if at < 0:
            return False
        if _SIGN.search(text[max(0, at - 24) : at + 30]):
            return True
        at = text.find("meta", at + 4)
    return False


def printed_facts(text: str) -> str:
    """What the output of the two suggested lines says, in words that entries can mention; else empty."""
    if " on meta" not in text:
        return ""
    facts = []
    for found in _PRINTED.finditer(text):
        kind, count, total = found[1], int(found[2]), int(found[3])
        amount = "no" if not count else "all" if count == total else "some"
        facts.append(f"{amount} {kind} are on meta")
    if facts and (hooks := _HOOKS.search(text)):
        facts.append("accelerate hooks are attached" if int(hooks[1]) else "without accelerate hooks")
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
        if frame.code:
            features.setdefault("=" + fold(frame.code)[:CODE])
    if frames:
        frame = frames[-1]
        features.setdefault(f"last {'user' if frame.user else frame.module}:{frame.function}")
    return list(features)


def stopped_at(frames: list[Frame], known: bool) -> str:
    """What `Module._apply()` stopped at: a parameter, a buffer or empty.

    Where no source line is shown, but torch's release is known, the distance to the line of the recursive
    call tells. Recorded runs: 23 to 33 lines to the parameters (torch 2.0 to 2.14), 47 to 103 to the
    buffers (2.1 to 2.14).
    """
    last = len(frames) - 1
    while last >= 0 and not _applies(frames[last]):
        last -= 1
    if last < 0:
        return ""
    code = frames[last].code
    nested = known and not code and last > 0 and _applies(frames[last - 1])
    away = frames[last].line - frames[last - 1].line if nested else 0
    if "fn(buf)" in code or 40 <= away <= 120:
        return "buffer"
    return "parameter" if "fn(param)" in code or 15 <= away < 40 else ""


def _applies(frame: Frame) -> bool:
    return frame.function == "_apply" and frame.module == PLUMBING


def short(feature: str) -> str:
    """The name of an ASCII feature in the index: 32 bits, for the index is sent to every reader."""
    return format(crc32(feature.encode("ascii")), "x")


def ending(frames: list[Frame]) -> list[str]:
    """The feature by which the end of a traceback is known where its beginning was cut off."""
    return ["end " + ">".join(frame.function for frame in frames[-END:])] if len(frames) >= END else []


def frame_key(value: str) -> str:
    """`package.module:Class.name` as frames are named, `package/module:name`; ` > ` joins several."""
    steps = []
    for step in value.split(">"):
        module, _, name = step.strip(" ").partition(":")
        steps.append(f"{module.replace('.', '/')}:{name[name.rfind('.') + 1 :]}")
    return " > ".join(steps)


def passes(value: str, frames: list[Frame]) -> bool:
    """Whether the frames go through `module:name > module:name` in order.

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
        self.wordings = [
            wording(at, name, literals)
            for at, symptom in enumerate(index["symptoms"])
            for name, literals in symptom["wordings"]
        ]
        self.alike = [
            wording(at, "", literals)
            for at, other in enumerate(index["lookalikes"])
            for literals in other["messages"]
        ]
        self.words, self.traits = unpack(index["words"]), unpack(index["traits"])
        self.vocabulary: dict[str, list[str]] = {}
        self.showing: list[list[Any]] = [[] for _ in index["symptoms"]]
        self.asking: list[list[int]] = [[] for _ in index["clues"]]
        for at, cause in enumerate(index["causes"]):
            for symptom, alone, clues, _ in cause["shown"]:
                self.showing[symptom].append((at, alone))
                for clue in clues:
                    if not self.asking[clue] or self.asking[clue][-1] != at:
                        self.asking[clue].append(at)
        self._prepare(index["clues"])

    def _prepare(self, clues: list[Any]) -> None:
        """Tables from functions and from words to the clues that name them."""
        self.by_frame: dict[str, list[Any]] = {}
        self.paths: dict[str, list[Any]] = {}
        self.by_word: dict[str, dict[str, list[Any]]] = {}
        self.written: dict[str, str] = {}
        said: dict[str, list[Any]] = {}
        names: dict[str, str] = {}
        for at, (key, _, *values) in enumerate(clues):
            if key in ("through", "not_through"):
                for weight, value in values:
                    name = frame_key(value)
                    self.written.setdefault(name, value)
                    simple = " " not in name and name[0] != "*" and name[:5] != "user:"
                    (self.by_frame if simple else self.paths).setdefault(name, []).append((at, weight))
            elif key in ("mentions", "not_mentions"):
                for weight, value in values:
                    name = names.get(value) or names.setdefault(value, squash(value))
                    self.written.setdefault(name, value)
                    said.setdefault(name, []).append((at, weight))
        parts = {value: _TOKEN.findall(value) for value in said}
        often: dict[str, int] = {}
        for tokens in parts.values():
            for token in tokens:
                often[token] = often.get(token, 0) + 1
        for value, tokens in parts.items():
            if tokens:
                rarest = min(tokens, key=often.__getitem__)
                self.by_word.setdefault(rarest, {})[value] = said[value]

    def explain(self, text: str, answers: Mapping[str, bool] | None = None) -> dict[str, Any]:
        """Causes of a meta problem for a text, best first; see `unmeta.match` for the object.

        `answers` are by clue id. Never raises for any text.
        """
        paste = Paste(text)
        evidence = Evidence(paste, self.wordings)
        symptoms = list(dict.fromkeys(seen.symptom for seen in evidence.seen))
        hits = self._hits(evidence)
        extra = [cause["prior"] for cause in self.index["causes"]]
        self._add_frames(extra, evidence)
        self._add_words(extra, evidence)
        learnt = self._traits(evidence)
        glance = [points + learnt.get(at, 0) for at, points in enumerate(extra)]
        ranked = []
        for at in self._likely(glance, symptoms, hits):
            score, clues = self._scored(at, evidence, hits, answers or {})
            like = extra[at] - self.index["causes"][at]["prior"]
            ranked.append((glance[at] + score, at, clues, like, like + score))
        ranked.sort(key=lambda item: (-item[0], item[1]))
        return self._answer(text, paste, evidence, symptoms, ranked)

    def _hits(self, evidence: Evidence) -> dict[int, tuple[int, str]]:
        """Clues of functions and mentions that the paste has, with the best value and its points."""
        hits: dict[int, tuple[int, str]] = {}

        def hit(value: str, clues: list[Any]) -> None:
            for clue, weight in clues:
                best = hits.get(clue)
                if best is None or weight > best[0] or (weight == best[0] and value < best[1]):
                    hits[clue] = (weight, value)

        for name in evidence.names:
            if name in self.by_frame:
                hit(name, self.by_frame[name])
        if evidence.frames:
            for value, clues in self.paths.items():
                if passes(value, evidence.frames):
                    hit(value, clues)
        for token in evidence.tokens:
            for value, clues in self.by_word.get(token, {}).items():
                if value == token or mentioned(value, evidence.text):
                    hit(value, clues)
        return hits

    def _likely(self, extra: list[int], symptoms: list[int], hits: Mapping[int, Any]) -> list[int]:
        """The causes worth a close look: those with the most points at a glance."""
        if len(extra) <= CLOSE:
            return list(range(len(extra)))
        index = self.index
        rough = list(extra)
        for symptom in symptoms:
            weight = index["symptoms"][symptom]["weight"] + index["weights"]["final"]
            for at, alone in self.showing[symptom]:
                rough[at] += weight + index["weights"]["alone"] * alone
        for clue, (weight, _) in hits.items():
            points = -weight if index["clues"][clue][0][:4] == "not_" else weight
            for at in self.asking[clue]:
                rough[at] += points
        return sorted(range(len(rough)), key=rough.__getitem__, reverse=True)[:CLOSE]

    def _scored(
        self, at: int, evidence: Evidence, hits: Mapping[int, tuple[int, str]], answers: Mapping[str, bool]
    ) -> tuple[int, list[Any]]:
        """Points of one cause for its symptoms and clues, and its clues as (clue, answer, what was found)."""
        index = self.index
        weights = index["weights"]
        cause = index["causes"][at]
        final = evidence.seen[-1].symptom if evidence.seen else -1
        score = named = 0
        told_clues: list[Any] = []
        found: list[tuple[int, str]] = []
        done: set[int] = set()
        for symptom, alone, clues, reported in cause["shown"]:
            seen = symptom in evidence.last
            if seen:
                score += index["symptoms"][symptom]["weight"]
                if symptom == final:
                    score += weights["final"] + reported
                if alone:
                    named = weights["alone"]
            for clue in clues:
                if clue in done or not (seen or clue in hits):
                    continue
                if not seen and index["clues"][clue][0] not in ("mentions", "through"):
                    continue
                done.add(clue)
                told, points, hit = self._told(clue, symptom, evidence, hits, answers)
                if hit:
                    found.append((points, hit))
                else:
                    score += points
                told_clues.append((abs(points), clue, told, hit))
        total, counted = _distinct(found)
        score += named + total
        if cause["applies"] and inside(cause["applies"], evidence.versions) == NO:
            score -= weights["outside"]
        told_clues.sort(key=lambda item: -item[0])  # what tells most comes first
        return score, [item[1:] for item in told_clues if not item[3] or item[3] in counted]

    def _told(
        self,
        clue: int,
        symptom: int,
        evidence: Evidence,
        hits: Mapping[int, tuple[int, str]],
        answers: Mapping[str, bool],
    ) -> tuple[int, int, str]:
        """What the paste says to a clue (YES, NO or 0), the points that it is worth, and what was found."""
        key, name, *values = self.index["clues"][clue]
        weights = self.index["weights"]
        if name and name in answers:
            return (YES, weights["answer"], "") if answers[name] else (NO, -weights["answer"], "")
        if clue in hits:
            points, hit = hits[clue]
            return (NO, -points, hit) if key[:4] == "not_" else (YES, points, hit)
        if key in ("through", "not_through"):
            against = weights["against"]
            if not evidence.complete:
                return 0, 0, ""
            return (NO, -against, "") if key == "through" else (YES, against, "")
        if key in BOUND and symptom in evidence.last:
            here = evidence.last[symptom]
            if key == "wording":
                if not here.name:
                    return 0, 0, ""
                points = values[0][0]
                return (YES, points, "") if any(v == here.name for _, v in values) else (NO, -points, "")
            for points, value in values:
                if any(seen.symptom == value and seen.span[0][0] < here.span[0][0] for seen in evidence.seen):
                    return (YES, points, "") if key == "earlier" else (NO, -points, "")
        elif key == "version":
            told = inside(values[1], evidence.versions)
            return told, told * values[0], ""
        return 0, 0, ""

    def _add_frames(self, scores: list[int], evidence: Evidence) -> None:
        """Points for looking like a recorded run: for what is shared, and for how little else there is."""
        index = self.index
        alike = index["weights"]["alike"]
        shared: dict[int, int] = {}
        if not evidence.frames and len(evidence.last) < 2:
            return
        own = 0
        coded = any(feature[0] == "=" for feature in evidence.features)
        for feature in evidence.features:
            posting = index["features"].get(short(feature))
            if posting:
                weight = posting[0]
                own += weight
                for run in posting[1:]:
                    shared[run] = shared.get(run, 0) + weight
        best: dict[int, int] = {}
        for run, weight in shared.items():
            cause, functions, code = index["runs"][run]
            total = functions + code if coded else functions
            least = total if evidence.complete else weight  # what was cut off is not held against a run
            share = min(100 * weight // least, 100 * weight // own)
            points = weight * weight // least + alike * max(0, share - 40) * min(weight, TELLING) // (
                60 * TELLING
            )
            if share > 95 and evidence.complete:
                points += alike // 2
            if points > best.get(cause, 0):
                best[cause] = points
        for cause, points in best.items():
            scores[cause] += points

    def _add_words(self, scores: list[int], evidence: Evidence) -> None:
        """Points for the words of a paste that stand in an entry; many words make each weigh less."""
        weights = self.index["weights"]
        known = self.words
        words = evidence.words
        if len(words) <= 60 and not evidence.seen:
            words = list(dict.fromkeys(word if word in known else self._corrected(word) for word in words))
        share = weights["words"]
        most = weights["words beside" if evidence.seen else "words alone"]
        for cause, total in tally(known, words).items():
            scores[cause] += min(most, total * share // (share + len(words)))

    def _traits(self, evidence: Evidence) -> dict[int, int]:
        """Points for what a paste has in common with reports of a cause; many traits make each weigh less."""
        traits = evidence.traits()
        share = isqrt(len(traits) + 12)
        most = self.index["weights"]["traits"]
        return {cause: min(most, total // share) for cause, total in tally(self.traits, traits).items()}

    def _corrected(self, word: str) -> str:
        """A known word that differs by one slip of the finger, else the word."""
        if len(word) < 5:
            return word
        if not self.vocabulary:
            for known in self.words:
                self.vocabulary.setdefault(known[0], []).append(known)
        for known in self.vocabulary.get(word[0], ()):
            if -2 < len(known) - len(word) < 2 and len(known) > 4 and _near(word, known):
                return known
        return word

    def _answer(
        self, text: str, paste: Paste, evidence: Evidence, symptoms: list[int], ranked: list[Any]
    ) -> dict[str, Any]:
        index = self.index
        weights = index["weights"]
        causes = index["causes"]
        shows = [item for item in ranked if any(shown[0] in symptoms for shown in causes[item[1]]["shown"])]
        listed = {item[1] for item in shows}
        ranked = [
            item
            for item in ranked
            if item[1] in listed or item[0] - causes[item[1]]["prior"] > weights["listed"]
        ]
        why_not = None
        top = max((item[4] for item in ranked), default=0)
        weak = [index["symptoms"][at]["weak"] for at in symptoms]
        backed = bool(ranked) and (
            ranked[0][3] > weights["words beside"]
            or any(told == YES and hit for _, told, hit in ranked[0][2])
        )
        notices = bool(symptoms) and all(index["symptoms"][at]["notice"] for at in symptoms)
        ended = self._look_alike(paste) if notices else None
        if ended and ended["final"]:
            why_not, verdict = ended, "look-alike"
        elif symptoms and (evidence.sign or any(mark == 0 or (mark == 1 and backed) for mark in weak)):
            lead = ranked[0][0] - ranked[1][0] if len(ranked) > 1 else weights["lead"]
            verdict = "cause" if ranked and lead >= weights["lead"] else "symptom"
        else:
            why_not = self._look_alike(paste)
            if evidence.sign and not (why_not and why_not["strong"]):
                verdict = "guess" if top >= weights["guess"] else "unlisted"
            elif evidence.hinted and not paste.messages and not (why_not and not why_not["weak"]):
                verdict = "guess" if top > weights["listed"] else "nothing"
            elif why_not or paste.messages or symptoms or top < weights["silent"]:
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
                    "line": line,
                    "text": paste.lines[seen.line][:300],
                }
                for seen, line in zip(evidence.seen, self._places(text, paste, evidence), strict=True)
            ],
            "causes": [self._cause(at, score, clues) for score, at, clues, *_ in ranked[:SHOWN]],
            "why_not": why_not and {key: why_not[key] for key in ("id", "title", "says")},
            "next": None
            if verdict == "cause" or not known
            else {"says": index["says"]["next"], "code": index["says"]["code"]},
        }

    def _places(self, text: str, paste: Paste, evidence: Evidence) -> list[int]:
        """The line of the text, from 1, that each sighting begins in; 0 where cleaning has left no trace."""
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        places, start = [], 0
        for seen in evidence.seen:
            shown = paste.lines[seen.line]
            found = -1
            for needle in (shown[:60], shown[:TRACE]):
                if found < 0:
                    found = text.find(needle, start)
                if found < 0:
                    found = text.find(needle)
            places.append(text.count("\n", 0, found) + 1 if found >= 0 else 0)
            start = max(start, found + 1)
        return places

    def _cause(self, at: int, score: int, clues: list[Any]) -> dict[str, Any]:
        cause = self.index["causes"][at]
        yes: list[dict[str, str]] = []
        no: list[dict[str, str]] = []
        questions: list[dict[str, str]] = []
        said: set[str] = set()
        for clue, told, hit in clues:
            key, name, *values = self.index["clues"][clue]
            if (told or key == "ask") and not (hit and hit in said):
                said.add(hit)
                kind = yes if told > 0 else no if told else questions
                kind.append({"clue": key, "id": name or str(clue), "says": self._says(key, values, hit)})
        return {
            "id": cause["id"],
            "title": cause["title"],
            "url": self.index["site"] + "e/" + cause["id"] + "/",
            "score": score,
            "yes": yes,
            "no": no,
            "open": questions,
        }

    def _says(self, key: str, values: list[Any], hit: str) -> str:
        """A clue as a sentence; of several things that it may name only the one that was found."""
        if key == "ask":
            return str(values[0])
        if key == "version":
            names = [f"{name} {wanted}" for name, wanted in values[1].items()]
        elif key in ("earlier", "not_earlier"):
            names = [f"“{self.index['symptoms'][value]['title']}”" for _, value in values]
        elif hit:
            names = [self.written[hit]]
            key = key.replace("not_", "")
        else:
            names = [value for _, value in values]
        return str(self.index["says"][key]).replace("{}", " or ".join(names))

    def _look_alike(self, paste: Paste) -> dict[str, Any] | None:
        folded = [fold(line) for line in paste.lines]
        ends, at = {0}, 0
        for line in folded:
            at += len(line)
            ends.add(at)
        seen = sightings(self.alike, "".join(folded), ends)
        other: dict[str, Any] | None = self.index["lookalikes"][seen[-1].symptom] if seen else None
        return other


def wording(at: int, name: str, literals: list[str]) -> tuple[int, str, list[str], int, int, bool]:
    """A wording made ready to be sought: place of its symptom, name, literals, the one that leads (the first
    that is long, else the longest), the length of all, and whether `meta` is in them.
    """
    lead = 0
    for place, literal in enumerate(literals):
        if len(literals[lead]) < CUT and len(literal) > len(literals[lead]):
            lead = place
    return at, name, literals, lead, sum(map(len, literals)), any("meta" in literal for literal in literals)


def _distinct(found: list[tuple[int, str]]) -> tuple[int, list[str]]:
    """What was found, of things that contain one another the best: sum of points, and the things."""
    found.sort(key=lambda item: (-abs(item[0]), item[1]))
    total = 0
    counted: list[str] = []
    for points, hit in found:
        if not any(hit in other or other in hit for other in counted):
            counted.append(hit)
            total += points
    return total, counted


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
