"""What a paste offers: messages with their holes, and features, each with the line that shows it.

A feature is a short text whose first word names the zone it was read in:

    m, M   a message; the last one           f, e, F  a library's function; the first below the reader's
    q      a message without a page                   code; the last of the traceback
    h      a part of a message's hole
    x, y   type and words of an unknown one  i, c, k, o, d  the reader's identifiers, calls, keyword
    a      a word of prose, of a log or of           arguments, calls on what a call returned, definitions
           a name in the reader's code       v, s, r  a release, what a move stopped at, several ranks
"""

from __future__ import annotations

from bisect import bisect_right

from unmeta.match.read import CODE, FRAME, LOG, NOISE, OWN, PROSE, SOURCE
from unmeta.match.template import QUOTES, fold, spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from unmeta.match.read import Paste, PasteFrame, Reader
    from unmeta.match.template import Span

HEAD = 16  # characters of a literal that show it at all; a message cut off at its end has at least these
CHANCE = 8  # letters that a message that is cut off must show beyond one that is whole
CUT = 24  # from here on a message may be cut anywhere, below only at the end of a line
WORDY = 240  # words of a zone that are read at most
DEEP = 4  # from here on it does not matter how deep a module lies
LONG = 400  # characters of a line of code that are read
HOLE = 200  # characters of a hole that is read
SILENT = (OWN, FRAME, SOURCE, CODE, NOISE)  # where no message stands
_SQUASHED = str.maketrans("-_\n", "   ", QUOTES[:3])


def squash(text: str) -> str:
    """How mentions compare: lower case, no quotation marks, hyphens and underscores as blanks."""
    return " ".join(filter(None, text.lower().translate(_SQUASHED).split(" ")))


class FoundSymptom:
    """A symptom found in a paste: its place in the index, the wording (empty where it is cut off too
    early to tell), what its literals cover and the line that it begins in.
    """

    __slots__ = ("line", "name", "span", "symptom")

    def __init__(self, symptom: int, name: str, span: Span) -> None:
        self.symptom, self.name, self.span, self.line = symptom, name, span, 0


def wording(at: int, name: str, literals: list[str]) -> tuple[int, str, list[str], int, int, bool]:
    """A wording made ready to be sought: place of its symptom, name, literals, the one that leads (the first
    that is long, else the longest), the length of all, and whether `meta` is in them.
    """
    lead = 0
    for place, literal in enumerate(literals):
        if len(literals[lead]) < CUT and len(literal) > len(literals[lead]):
            lead = place
    return at, name, literals, lead, sum(map(len, literals)), any("meta" in literal for literal in literals)


def sightings(wordings: list[Any], text: str, ends: set[int]) -> list[FoundSymptom]:
    """Every wording that stands in a folded text, cut ones too; of overlapping ones the longest literal."""
    found: list[tuple[int, int, int, int, FoundSymptom]] = []
    for order, (symptom, name, literals, lead, size, meta) in enumerate(wordings):
        sought = literals[lead]
        at = text.find(sought[:HEAD])
        if at < 0:
            continue
        whole = spans(literals, text, 60)
        for span in whole:
            found.append((-size, 0, size, order, FoundSymptom(symptom, name, span)))
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
                found.append(
                    (CHANCE - length, 1, size, order, FoundSymptom(symptom, known, [(at, at + length)]))
                )
            at = text.find(sought[:HEAD], at + HEAD)
            if at < 0:
                break
    if not found:
        for order, (symptom, _, literals, _, size, _) in enumerate(wordings):
            rest = _beheaded(literals, text)
            if rest:
                length = rest[1] - rest[0]
                found.append((-length, 1, size, order, FoundSymptom(symptom, "", [rest])))
    found.sort(key=lambda item: item[:4])
    kept: list[FoundSymptom] = []
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


class Evidence:
    """What a paste offers to clues and weights.

    `seen` are the messages in order; `features` the first line of each feature; `said` the paste's lines
    without what the messages' literals cover, so that a library's words count for nobody.
    """

    def __init__(
        self,
        paste: Paste,
        wordings: list[Any],
        names: list[str],
        reader: Reader,
        messages: Sequence[str] = (),
    ) -> None:
        """`wordings` as `wording` makes them, of symptoms with these `names` and of further `messages`."""
        self.paste, self.reader, self.symptoms, self.messages = paste, reader, names, messages
        self.features: dict[str, int] = {}
        self.alike: int | None = None  # the look-alike that stands in it, once it was asked for
        self.names: dict[str, int] = {}  # functions passed through, with the first line of each
        self._find(wordings)
        self._messages()
        self._frames()
        self.origins: dict[str, str] = {}  # the call that a variable comes from
        self.open, self.owed = "", 0  # the variable whose call goes on below, brackets that are still open
        self._words()
        self._rest()
        self._sign()

    # --- messages ------------------------------------------------------------------------------

    def _find(self, wordings: list[Any]) -> None:
        lines = self.paste.lines
        self.places = [at for at, line in enumerate(lines) if line.zone not in SILENT]
        folded = [fold(lines[at].text) for at in self.places]
        self.starts, end = [], 0
        for text in folded:
            self.starts.append(end)
            end += len(text)
        self.text = "".join(folded)
        self.ends = {*self.starts, end}
        found = sightings(wordings, self.text, self.ends)
        self.said = [line.text for line in lines]
        self.covered: set[int] = set()
        for seen in found:
            first = bisect_right(self.starts, seen.span[0][0]) - 1
            seen.line = self.places[first]
            for start, stop in seen.span:
                self._blank(start, stop)
        self.seen = [seen for seen in found if seen.symptom < len(self.symptoms)]
        others = [seen for seen in found if seen.symptom >= len(self.symptoms)]
        self.spoken = {self.messages[seen.symptom - len(self.symptoms)]: seen.line for seen in others}
        for name, line in self.spoken.items():
            self._add(f"q {name}", line)

    def _blank(self, start: int, stop: int) -> None:
        """Take what a message's literal covers out of the lines."""
        at = bisect_right(self.starts, start) - 1
        while at < len(self.starts) and self.starts[at] < stop:
            place = self.places[at]
            self.covered.add(place)
            own = [n for n, char in enumerate(self.paste.lines[place].text) if char not in " `'\""]
            first, last = max(start - self.starts[at], 0), min(stop - self.starts[at], len(own)) - 1
            if first <= last:
                a, b = own[first], own[last] + 1
                self.said[place] = self.said[place][:a] + " " * (b - a) + self.said[place][b:]
            at += 1

    def _add(self, feature: str, line: int) -> None:
        self.features.setdefault(feature, line)

    def _messages(self) -> None:
        holes = 0
        for seen in self.seen:
            name = self.symptoms[seen.symptom]
            self._add(f"m {name}", seen.line)
            if seen.name:
                self._add(f"n {name}/{seen.name}", seen.line)
            for at in range(1, len(seen.span)):
                start, stop = seen.span[at - 1][1], seen.span[at][0]
                if stop - start <= HOLE and holes < 24:
                    for part in self.reader.pattern["hole"].findall(self.text[start:stop])[:12]:
                        holes += 1
                        self._add(f"h {part}", seen.line)
        self.last = {seen.symptom: seen for seen in self.seen}
        self.final = self.seen[-1] if self.seen else None
        if self.final:
            self._add(f"M {self.symptoms[self.final.symptom]}", self.final.line)
        if self.paste.messages:
            at, kind, text = self.paste.messages[-1]
            if at not in self.covered:
                self._add(f"x {kind}", at)
                for word in self.words(text)[:30]:
                    self._add(f"y {word}", at)

    # --- frames --------------------------------------------------------------------------------

    def _frames(self) -> None:
        frames = self.paste.frames
        plumbing = self.reader.grammar["plumbing"]
        entered: PasteFrame | None = None
        loading = False
        for frame in frames:
            name = f"{frame.module}:{frame.function}"
            self.names.setdefault(name, frame.at)
            if frame.user:
                if loading and frame.function == "__init__":
                    self._add("d __init__<", frame.at)
                loading = loading and frame.function == "__init__"
                self._add(f"d {frame.function}", frame.at)
                file = frame.module[frame.module.rfind("/") + 1 :]
                self._named(f"{file} {frame.function}", frame.at, False)
            else:
                self._add(f"f {name}", frame.at)
                if frame.module != plumbing:
                    self._add(f"p {frame.module.partition('/')[0]}", frame.at)
            loading = loading or frame.function in ("from_pretrained", "from_config", "_from_config")
        trace = self._trace()
        for at in range(1, len(trace)):
            if trace[at - 1].user and not trace[at].user:
                entered = trace[at]
        if entered:
            self._add(f"e {entered.module}:{entered.function}", entered.at)
        if trace:
            last = trace[-1]
            self._add("F own" if last.user else f"F {last.module}:{last.function}", last.at)
        depth = sum(frame.times for frame in trace if frame.function == "_apply" and not frame.user)
        if depth:
            self._add(f"s depth {min(depth, DEEP)}", trace[-1].at)
        self.stop = stopped_at(trace, plumbing, "torch" in self.paste.versions)
        if self.stop:
            self._add(f"s {self.stop}", trace[-1].at)
            self.names[f"{plumbing}:_apply({self.stop})"] = trace[-1].at

    def _trace(self) -> list[PasteFrame]:
        """The frames of the traceback that ends in the last known message: the innermost of a chain."""
        frames = self.paste.frames
        if self.final is None:
            return frames
        ends = [at for at, _, _ in self.paste.messages]
        for seen in self.seen:
            if seen.symptom == self.final.symptom:
                before = max((at for at in ends if at < seen.line), default=-1)
                trace = [frame for frame in frames if before < frame.at < seen.line]
                if trace:
                    return trace
        return frames

    # --- words ---------------------------------------------------------------------------------

    def words(self, text: str) -> list[str]:
        """Distinct words of a text: identifiers whole, lower case, stemmed; no numbers."""
        return list(dict.fromkeys(stem(name.lower()) for name in self.reader.pattern["name"].findall(text)))

    def _words(self) -> None:
        count = {PROSE: 0, LOG: 0}
        for at, line in enumerate(self.paste.lines):
            zone = line.zone
            text = self.said[at]
            if zone == CODE:
                self._code(text[:LONG], at)
                self._named(text[:LONG], at, True)
            elif zone in count and count[zone] < WORDY:
                if "registered at " in text and self.reader.pattern["backends"].search(text):
                    continue
                if zone == PROSE and ("(" in text or "=" in text):
                    self._code(text[:LONG], at)
                count[zone] += self._named(text, at, zone == PROSE)

    def _code(self, text: str, at: int) -> None:
        """Calls, keyword arguments and where values come from, of a line of the reader's code."""
        pattern = self.reader.pattern
        before = ""
        for found in pattern["call"].finditer(text):
            path, given = found[1], found[2]
            owner, _, name = path.rpartition(".")
            if path[0] == ")":
                self._add(f"o {before}.{name}", at)
                if "A" <= before[:1] <= "Z":
                    self._add(f"o New.{name}", at)
            elif owner:
                value = owner.rpartition(".")[2]
                if value in self.origins:
                    self._add(f"o {self.origins[value]}.{name}", at)
                elif owner == value == value.lower():
                    self._add(f"c {value}.{name}", at)
            before = name
            self._add(f"c {name}", at)
            self._add(f"i {name.lower()}", at)
            if given:
                self._add(f"c {name}({given})", at)
        mapped = False
        for found in pattern["keyword"].finditer(text):
            name, value = found[1], found[2]
            if (found.start() == 0 and not self.open) or text[found.end() : found.end() + 1] == "=":
                continue  # an assignment, a comparison
            mapped = mapped or name == "device_map"
            self._add(f"k {name}", at)
            self._add(f"i {name}", at)
            value = value.strip("'\"").partition(":")[0]
            if value in self.reader.grammar["values"]:
                self._add(f"k {name}={value}", at)
        opened = text.count("(") - text.count(")")
        if given_to := pattern["assigned"].match(text):
            self.open, self.owed = given_to[1].rpartition(".")[2], 0
            self.origins[self.open] = given_to[2].rpartition(".")[2]
        self.owed += opened
        if mapped and self.open and not self.origins[self.open].endswith("+map"):
            self.origins[self.open] += "+map"
        if self.owed <= 0:
            self.open, self.owed = "", 0

    def _named(self, text: str, at: int, own: bool) -> int:
        """The words that the names of a text consist of, whatever zone it stands in, and where it is the
        reader's `own` the identifiers; how many names there are.
        """
        names = self.reader.pattern["name"].findall(text)
        part = self.reader.pattern["part"].findall
        for name in names:
            low = name.lower()
            split = "_" in name or name != low
            if own and ("_" in name or name[1:] != low[1:]):
                self._add(f"i {low}", at)
            for word in part(name) if split else (name,):
                if len(word) > 2:
                    self._add(f"a {stem(word.lower())}", at)
        return len(names)

    def _rest(self) -> None:
        paste = self.paste
        if len(paste.ranks) > 1 or any(rank.isdigit() for rank in paste.ranks):
            self._add("r ranks", 0)
        for package, steps in self.reader.grammar["releases"].items():
            if package in paste.versions:
                stated = numbers(paste.versions[package])
                reached = [step for step in steps if order(numbers(step), stated) <= 0]
                self._add(f"v {package} {reached[-1] if reached else 'old'}", 0)

    # --- what is asked of the whole --------------------------------------------------------------

    def said_in(self, phrase: str) -> int:
        """First line of the reader's prose, or of what the two suggested lines print, that has a squashed
        phrase, not inside longer words; -1 where none has.
        """
        if phrase not in self._joined:
            return -1
        return next((at for at, text in self.prose if phrase in text and _whole(phrase, text)), -1)

    def _sign(self) -> None:
        """The zones in which the meta device is spoken of, and prose ready to be asked."""
        grammar = self.reader.grammar
        zones: dict[str, list[str]] = {}
        self.prose: list[tuple[int, str]] = []
        for at, line in enumerate(self.paste.lines):
            text = self.said[at]
            if line.zone == PROSE:
                self.prose.append((at, squash(text)))
            if "eta" in text or "hook" in text or "weights" in text:
                zones.setdefault(line.zone, []).append(squash(text))
            if " on meta" in text and (fact := self._fact(text)):
                self.prose.append((at, fact))
                self._add(f"z {fact}", at)
            elif "accelerate hooks: " in text and (found := self.reader.pattern["hooks"].search(text)):
                fact = "accelerate hooks are attached" if int(found[1]) else "without accelerate hooks"
                self.prose.append((at, fact))
                self._add(f"z {fact}", at)
        self._joined = "\n".join(text for _, text in self.prose)
        self.signed = [zone for zone, texts in zones.items() if self._speaks("\n".join(texts))]
        if any(frame.function in grammar["meta_only"] for frame in self.paste.frames):
            self.signed.append("frames")

    def _fact(self, text: str) -> str:
        found = self.reader.pattern["printed"].search(text)
        if not found:
            return ""
        kind, count, total = found[1], int(found[2]), int(found[3])
        amount = "no" if not count else "all" if count == total else "some"
        return f"{amount} {kind} are on meta"

    def _speaks(self, text: str) -> bool:
        """Whether a squashed text speaks of the meta device, and not of a company, a class or a web page."""
        if any(name in text for name in self.reader.grammar["sign_names"]):
            return True
        at = text.find("meta")
        for _ in range(200):
            if at < 0:
                return False
            if self.reader.pattern["sign"].search(text[max(0, at - 24) : at + 30]):
                return True
            at = text.find("meta", at + 4)
        return False


def _whole(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text not inside a longer word."""
    at = text.find(phrase)
    for _ in range(40):
        if at < 0:
            return False
        end = at + len(phrase)
        if not (at > 0 and _letter(phrase[0]) and _letter(text[at - 1])) and not (
            end < len(text) and _letter(phrase[-1]) and _letter(text[end])
        ):
            return True
        at = text.find(phrase, at + 1)
    return False


def _letter(char: str) -> bool:
    return "a" <= char <= "z" or "0" <= char <= "9"


def stopped_at(frames: list[PasteFrame], plumbing: str, known: bool) -> str:
    """What `Module._apply()` stopped at: a parameter, a buffer or empty.

    Where no source line is shown, but torch's release is known, the distance to the line of the recursive
    call tells. Recorded runs: 23 to 33 lines to the parameters (torch 2.0 to 2.14), 47 to 103 to the
    buffers (2.1 to 2.14).
    """

    def applies(frame: PasteFrame) -> bool:
        return frame.function == "_apply" and frame.module == plumbing

    last = len(frames) - 1
    while last >= 0 and not applies(frames[last]):
        last -= 1
    if last < 0:
        return ""
    code = frames[last].code
    nested = known and not code and last > 0 and applies(frames[last - 1])
    away = frames[last].line - frames[last - 1].line if nested else 0
    if "fn(buf)" in code or 40 <= away <= 120:
        return "buffer"
    return "parameter" if "fn(param)" in code or 15 <= away < 40 else ""


def stem(word: str) -> str:
    """The word without the commonest English endings."""
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


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


def order(left: list[int], right: list[int]) -> int:
    """How two versions compare: -1, 0 or 1; what is not stated counts as 0."""
    for at in range(max(len(left), len(right))):
        a = left[at] if at < len(left) else 0
        b = right[at] if at < len(right) else 0
        if a != b:
            return 1 if a > b else -1
    return 0
