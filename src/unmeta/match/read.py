"""Read a paste: clean lines, each with its zone, and frames.

A zone says whose words a line holds; clues and weights ask for zones, so that a library's words are
never taken for the reader's:

    own      a frame of the reader's code         code     the reader's source lines, pasted code, cells
    frame    a frame of a library                 source   a library's source lines
    message  an exception or a warning            log      lines of programs: logs, tables, notices
    prose    the reader's sentences               versions, noise

All patterns come from the index (`kb/grammar.yaml`); `matcher.js` interprets the same table.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # the module typing would cost a third of a cold start
if TYPE_CHECKING:
    from typing import Any

CODE, FRAME, LOG, MESSAGE, NOISE, OWN = "code", "frame", "log", "message", "noise", "own"
PROSE, SOURCE, VERSIONS = "prose", "source", "versions"
WRAPPED = 70  # characters of a line that a terminal may have wrapped
BAR = 200  # characters below which a line may be a progress bar and nothing else
CUT = 60  # characters below which a line that begins with dots says that something is left out
PREFIXED = 120  # characters that an unknown prefix of a traceback's header may have


class Later:
    """A pattern that is compiled when it is first used: many pastes need few of them, and starting counts."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern)
        self.match, self.search, self.sub = compiled.match, compiled.search, compiled.sub
        self.finditer, self.findall = compiled.finditer, compiled.findall
        return getattr(compiled, name)


class PasteLine:
    """A cleaned line: text, number in the paste (from 1), column, zone, and its frame (-1 for none)."""

    __slots__ = ("column", "frame", "gap", "logged", "number", "rank", "text", "zone")

    def __init__(self, text: str, number: int, column: int, rank: str, logged: bool, gap: bool) -> None:
        self.text, self.number, self.column = text, number, column
        self.rank, self.logged, self.gap = rank, logged, gap
        self.zone, self.frame = "", -1


class PasteFrame:
    """One stack frame: module path with slashes, function's last name, line number, whose code it is.

    `at` is its line of the paste, `code` the source line that the paste shows for it, in line `code_at`;
    `times` counts the repetitions that the interpreter leaves out as well.
    """

    __slots__ = ("at", "code", "code_at", "function", "line", "module", "times", "user")

    def __init__(self, module: str, function: str, line: int, user: bool, at: int) -> None:
        self.module, self.function, self.line, self.user, self.at = module, function, line, user, at
        self.code, self.code_at, self.times = "", at, 1


class Paste:
    """What a text holds.

    `lines` with their zones; `frames` in order; `messages` are (line, type, text) of exceptions and
    warnings; `versions` by package; `ranks` are those whose prefix stood before lines; `complete` tells
    that a traceback stands there from its header to its message uncut.
    """

    __slots__ = ("complete", "frames", "lines", "messages", "ranks", "versions")

    def __init__(self, lines: list[PasteLine]) -> None:
        self.lines = lines
        self.frames: list[PasteFrame] = []
        self.messages: list[tuple[int, str, str]] = []
        self.complete = False
        self.ranks = list(dict.fromkeys(line.rank for line in lines if line.rank))
        self.versions: dict[str, str] = {}


class Reader:
    """The grammar of an index made ready."""

    def __init__(self, grammar: dict[str, Any]) -> None:
        self.grammar = grammar
        self.limits = grammar["limits"]
        self.pattern = {name: Later(text) for name, text in grammar["patterns"].items()}
        self.prefix = Later("(?:" + "|".join(grammar["prefixes"]) + ")[ \t]*")
        self.plain = {ord(char): value for chars, value in grammar["typography"] for char in chars}
        self.unsigned = re.compile(r"[^\x00-\x7f]+")
        self.modules: dict[str, tuple[str, bool]] = {}

    def read(self, text: str) -> Paste:
        """The paste that a text is. Never raises."""
        paste = Paste(self._lines(self._ascii(text)))
        self._label(paste)
        return paste

    # --- lines ---------------------------------------------------------------------------------

    def _ascii(self, text: str) -> str:
        if text.isascii():
            return text
        return self.unsigned.sub("?", text.translate(self.plain))

    def _bounded(self, text: str) -> list[tuple[int, str]]:
        """(number of its first line, stretch): all of it, or both ends and the surroundings of signals."""
        limit = self.limits
        if len(text) <= limit["characters"]:
            return [(1, text)]
        around, tail = limit["around"], limit["tail"]
        windows = [(0, limit["head"]), (len(text) - tail, len(text))]
        for signal in self.grammar["signals"]:
            at = -1
            for _ in range(2):
                at = text.find(signal, at + 1 if at < 0 else at + around)
                if at < 0:
                    break
                windows.append((max(0, at - around), min(len(text), at + around)))
            at = len(text) - tail
            for _ in range(2):
                at = text.rfind(signal, 0, max(0, at))
                if at < 0:
                    break
                windows.append((max(0, at - around), min(len(text), at + around)))
                at -= around
        parts: list[tuple[int, str]] = []
        end = counted = 0
        number = 1
        for start, stop in sorted(windows):
            if stop > end:
                first = max(start, end)
                number += text.count("\n", counted, first)
                counted = first
                if parts and first == end:
                    parts[-1] = (parts[-1][0], parts[-1][1] + text[first:stop])
                else:
                    parts.append((number, text[first:stop]))
                end = stop
        return parts

    def _lines(self, text: str) -> list[PasteLine]:
        raws: list[tuple[int, str]] = []
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        for number, stretch in self._bounded(text):
            if raws:
                raws.append((number, "..."))
            raws.extend(enumerate(self._unescaped(stretch).split("\n"), number))
        most = self.limits["lines"]
        if len(raws) > most:
            raws = [*raws[: most // 3], (raws[most // 3][0], "..."), *raws[-most * 2 // 3 :]]
        lines: list[PasteLine] = []
        gap = False
        for number, raw in raws:
            for piece in raw.split("\x0b") if "\x0b" in raw else (raw,):
                line = self._stripped(piece, number, gap)
                gap = not line.text
                lines.append(line)
        ranked: dict[str, list[PasteLine]] = {}
        kept: list[PasteLine] = []
        for line in self._unprefixed(lines):
            if line.text:
                (ranked.setdefault(line.rank, []) if line.rank else kept).append(line)
        for group in ranked.values():
            kept += group
        return self._mended(kept)

    def _unescaped(self, text: str) -> str:
        """The text without escapes and tags; a newline that one of them stood for is a vertical tab."""
        pattern = self.pattern
        text = text.replace("\x0b", " ")
        if "\\n" in text and (
            '\\n  File "' in text or '\\n  File \\"' in text or "(most recent call last):\\n" in text
            or "\\nFile" in text
        ):  # fmt: skip
            text = text.replace("\\n", "\x0b").replace('\\"', '"')
        if "\x1b" in text or "[" in text:
            text = pattern["ansi"].sub("", text)
        if "&" in text:
            entities = self.grammar["entities"]
            text = pattern["entity"].sub(lambda found: entities[found[1]].replace("\n", "\x0b"), text)
        if "<" in text and ">" in text:
            text = pattern["tag"].sub("", pattern["break"].sub("\x0b", text))
        return str(pattern["control"].sub(" ", text.replace("\t", "    ")))

    def _stripped(self, raw: str, number: int, gap: bool) -> PasteLine:
        """The line without prefixes; its column is where it stands in the raw one."""
        text, rank, logged, size = raw.strip(" "), "", False, 0
        while size != len(text):
            size = len(text)
            if found := self.prefix.match(text):
                for group in found.groups():
                    rank = rank or group or ""
                logged = logged or bool(self.pattern["level"].search(found[0]))
                text = text[found.end() :]
                if found := self.pattern["after"].match(text):
                    text = text[found.end() :]
        if text.endswith("|"):
            text = text.rstrip("| ")
        if self.grammar["header"] in text:
            text = text.strip("- ")
        return PasteLine(
            text.strip(" "), number, max(0, len(raw.rstrip(" |")) - len(text)), rank, logged, gap
        )

    def _unprefixed(self, lines: list[PasteLine]) -> list[PasteLine]:
        """The lines without a prefix that no list knows: what stands before a traceback's header and, but
        for its digits, before the line below as well.
        """
        known = None
        header = self.grammar["header"]
        for at, line in enumerate(lines):
            start = line.text.find(header)
            if 0 < start <= PREFIXED and at + 1 < len(lines):
                lead = self.pattern["special"].sub(r"\\\g<0>", line.text[:start].rstrip(" "))
                prefix = re.compile(self.pattern["digits"].sub("[0-9]{1,20}", lead) + " {0,8}")
                if prefix.match(lines[at + 1].text):
                    known = prefix
            if known and (found := known.match(line.text)):
                inner = self._stripped(line.text[found.end() :], line.number, line.gap)
                line.text, line.rank = inner.text, line.rank or inner.rank
                line.logged = True
        return lines

    def _mended(self, lines: list[PasteLine]) -> list[PasteLine]:
        """Wrapped frame lines made whole, and newlines given back that were lost."""
        mended: list[PasteLine] = []
        file = self.pattern["file"]
        for line in lines:
            text = line.text
            last = mended[-1].text if mended else ""
            if len(last) > 40 and last.startswith('File "') and ", in " not in last:
                joined = last + (" " if last.endswith(("in", ",", "line")) else "") + text
                if (found := file.match(joined)) and found[3]:
                    mended[-1].text = joined
                    continue
            if len(text) > 80 and ("File " in text or "Traceback" in text or ": line" in text):
                mended += self._unjoined(line)
            else:
                mended.append(line)
        return mended

    def _unjoined(self, line: PasteLine) -> list[PasteLine]:
        text = line.text
        files = text.count('File "') + text.count("File /") + text.count("File ~")
        if files < 2 and "Traceback (most" not in text[1:]:
            return [line]
        for mark in ('File "', "File /", "File ~"):
            text = text.replace(" " + mark, "\n" + mark)
        parts = []
        for part in self.pattern["lost"].sub("\n", text).split("\n"):
            part = part.strip(" ")
            rest = ""
            if part.startswith("File ") and (found := self.pattern["file"].match(part)):
                part, rest = part[: found.end()], part[found.end() :].strip(" ")
            for piece, column in ((part, line.column), (rest, line.column + 2)):
                if piece:
                    parts.append(PasteLine(piece, line.number, column, line.rank, line.logged, False))
        return parts

    # --- zones ---------------------------------------------------------------------------------

    def _label(self, paste: Paste) -> None:
        """Give every line its zone, and gather frames and messages."""
        pattern, header, repeated = self.pattern, self.grammar["header"], self.grammar["repeated"]
        lines, frames = paste.lines, paste.frames
        start, cut = -1, False  # of the traceback that is read: its header, and whether a part is left out
        inside = False  # below a frame, where source lines stand
        before = -1  # first of the lines that may be source of a frame whose place stands below them
        fenced = False
        told = -1  # the message that the line may continue
        owed = 0  # brackets of pasted code that are still open
        for at, line in enumerate(lines):
            text = line.text
            if pattern["fence"].match(text):
                fenced = not fenced and len(text) > 3
                line.zone, inside, told = NOISE, False, -1
            elif pattern["linked"].match(text) or pattern["banner"].match(text):
                line.zone, inside, told, before = NOISE, False, -1, at + 1
            elif pattern["rule"].match(text):
                line.zone = NOISE
                if not inside:
                    before = at + 1
                if len(text) > 20:
                    inside, before = False, at + 1
            elif header in text:
                start, cut, inside, before, told = at, False, False, at + 1, -1
                line.zone = NOISE
            elif text.startswith(repeated):
                line.zone = SOURCE
                if frames and (found := pattern["digits"].search(text)):
                    frames[-1].times += int(found[0][:3])
            elif ": " in text and (found := pattern["warned"].search(text)):
                paste.messages.append((at, found[1], found[2]))
                line.zone, inside, told = MESSAGE, False, at
                line.frame = -2 if self._module(text[: found.start()])[1] else -3
            elif (frame := self.frame(text, at)) and not (inside and text[:1] == ">"):
                frames.append(frame)
                self._above(paste, frame, before)
                line.zone, line.frame = OWN if frame.user else FRAME, len(frames) - 1
                inside, before, told = True, at + 1, -1
            elif found := pattern["message"].match(text):
                paste.messages.append((at, found[2], found[3] or ""))
                line.zone, told = MESSAGE, at
                if start >= 0 and not cut and frames and frames[-1].at > start:
                    paste.complete = True
                start, inside = -1, False
            elif len(text) < CUT and text.startswith(("...", "[...", "(...", "<snip", "[snip")):
                cut, line.zone = True, NOISE
            elif inside and self._is_source(lines, at, frames[-1]):
                self._source(paste, line, at)
            elif told >= 0 and self._continues(lines[told], lines[at - 1].text, line):
                line.zone = MESSAGE
                if line.column >= 2 and lines[told].frame < -1 and "warn(" in text:
                    line.zone = CODE if lines[told].frame == -2 else SOURCE
                    told = -1
            elif owed > 0 and not line.gap:  # a call of pasted code goes on
                line.zone, owed = CODE, owed + _opened(text)
            else:
                told, inside = -1, False
                line.zone = self._loose(text, line.logged, fenced)
                owed = _opened(text) if line.zone == CODE else 0
        self._versions(paste)

    def _above(self, paste: Paste, frame: PasteFrame, before: int) -> None:
        """Give a frame the source lines that pytest prints above its place."""
        lines = paste.lines
        if before < 0 or frame.at - before < 1 or frame.function not in ("", "<module>") or frame.line == 0:
            return
        if lines[frame.at].text.startswith(("File ", "Cell", "In", "<")):
            return
        own = len(paste.frames) - 1
        for at in range(before, frame.at):
            line = lines[at]
            if found := self.pattern["definition"].match(line.text):
                frame.function = found[1]
            if line.zone in (PROSE, LOG, CODE, NOISE) and line.column >= 4:
                line.zone, line.frame = CODE if frame.user else SOURCE, own
                frame.code, frame.code_at = line.text, at

    def _is_source(self, lines: list[PasteLine], at: int, frame: PasteFrame) -> bool:
        line, place = lines[at], lines[frame.at]
        if self.pattern["arrow"].match(line.text) or line.column > place.column:
            return True
        if line.gap or self._is_prose(line.text):
            return False
        if ", line " not in place.text:  # IPython prints values of arguments in between
            return True
        return at == frame.at + 1 and self.pattern["code"].match(line.text) is not None

    def _source(self, paste: Paste, line: PasteLine, at: int) -> None:
        frame = paste.frames[-1]
        line.zone, line.frame = CODE if frame.user else SOURCE, len(paste.frames) - 1
        found = self.pattern["arrow"].match(line.text)
        pointed = found and self.pattern["pointed"].match(line.text)
        if found:
            line.text = found[1]
        elif self.pattern["marks"].match(line.text):
            line.zone = NOISE
            return
        if pointed or (not found and not frame.code):
            frame.code, frame.code_at = line.text, at

    def _continues(self, told: PasteLine, above: str, line: PasteLine) -> bool:
        """Whether a line goes on with the message that began above it."""
        if line.gap or line.logged != told.logged:
            return False
        first = line.text[0]
        if "a" <= first <= "z" and line.column <= told.column:  # wrapped, or the reader's next words
            return len(above) >= WRAPPED and above[-1] not in ".!?:)" and "(" not in line.text
        return line.column > told.column or first in "-'\"`([{<" or "0" <= first <= "9"

    def _loose(self, text: str, logged: bool, fenced: bool) -> str:
        """The zone of a line that is part of no traceback."""
        if len(text) < BAR and self.pattern["progress"].search(text):
            return NOISE
        if not logged and self.pattern["code"].match(text):
            return CODE
        if logged or text[0] in "[{|<" or "|" in text:
            return LOG
        return PROSE if self._is_prose(text) and not fenced else LOG

    def _is_prose(self, text: str) -> bool:
        """Whether a line is a sentence, or names a call as people do in one."""
        words = text.split(" ")
        plain = sum(word.strip(".,;:!?()'\"`").isalpha() for word in words)
        if "(" in text and self.pattern["call"].search(text):
            return text[-1] in ".;,:" or plain >= 3
        return plain >= 2 and plain * 2 >= len(words)

    # --- frames --------------------------------------------------------------------------------

    def frame(self, text: str, at: int) -> PasteFrame | None:
        """The frame that a cleaned line shows, in any of the formats of CPython, IPython, pytest and rich."""
        pattern = self.pattern
        if text[:1] == ">" and text.startswith("> File "):
            text = text[2:]
        if text.startswith("File ") and (found := pattern["file"].match(text)):
            path, number, function = found[1], found[2], found[3] or ""
        elif ("In [" in text[:10] or "In[" in text[:10] or text.startswith(("Input In", "<ipython"))) and (
            found := pattern["cell"].match(text)
        ):
            return PasteFrame("<cell>", _last(found[1] or "<module>"), 0, True, at)
        elif ".py" in text:
            if found := pattern["colon"].match(text):
                path, number, function = found[1], found[2], found[3] or ""
            elif found := pattern["old"].match(text):
                path, number, function = found[1], "0", found[2]
            else:
                return None
            if " " in path and "/" not in path and "\\" not in path:
                return None
        else:
            return None
        if function and pattern["message"].match(function):
            function = ""
        module, user = self._module(path)
        return PasteFrame(module, _last(function), int(number), user, at)

    def _module(self, path: str) -> tuple[str, bool]:
        """Path of a source file from its package on, without suffix, and whether it is the reader's code."""
        known = self.modules.get(path)
        if known is None:
            if len(self.modules) > 2000:
                self.modules.clear()
            known = self.modules[path] = self._located(path)
        return known

    def _located(self, path: str) -> tuple[str, bool]:
        grammar = self.grammar
        path = path.replace("\\\\", "/").replace("\\", "/").strip(" ")
        if path.startswith("~/"):
            path = path[2:]
        end = 0
        for found in self.pattern["library"].finditer(path):
            end = found.end()
        user = not end
        if end:
            path = path[end:]
            user = path.startswith(tuple(grammar["own"]))
        else:
            for package in grammar["packages"]:
                at = path.rfind("/" + package + "/")
                inner = path[at + 1 :] if at >= 0 else path if path.startswith(package + "/") else ""
                rest = inner[len(package) + 1 :]
                if inner and not rest.startswith(("examples/", "src/", "tests/", "scripts/")):
                    path, user = inner, False
                    break
        at = path.rfind("transformers_modules/")
        if at >= 0:
            path, user = path[at:], True
        if path.startswith("<frozen ") or path[path.rfind("/") + 1 :] in grammar["standard"]:
            user = False
        for suffix in (".py", ".pyx"):
            if path.endswith(suffix):
                path = path[: -len(suffix)]
        if path.endswith("/__init__"):
            path = path[:-9]
        return path, user

    # --- versions ------------------------------------------------------------------------------

    def _versions(self, paste: Paste) -> None:
        """Releases by package that the lines state, the first of several."""
        for line in paste.lines:
            if len(line.text) > 400 or line.zone in (OWN, FRAME, SOURCE, CODE):
                continue
            stated = False
            for found in self.pattern["version"].finditer(line.text.lower()):
                stated = True
                name = found[1].replace("_", "-")
                name = "torch" if name == "pytorch" else name
                paste.versions.setdefault(name, (found[2] or found[3]).rstrip("."))
            if stated and line.zone in (PROSE, LOG) and len(line.text) < 60:
                line.zone = VERSIONS


def _last(function: str) -> str:
    return function[function.rfind(".") + 1 :]


def _opened(text: str) -> int:
    return sum(text.count(mark) for mark in "([{") - sum(text.count(mark) for mark in ")]}")
