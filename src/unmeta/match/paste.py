"""Make sense of anything people paste: clean lines, frames, messages, versions and words.

Everything here is repeated, function by function, in `docs/assets/javascripts/matcher.js`; parity is
tested. So the text is turned into ASCII first, patterns use explicit ASCII classes, and none of them
can backtrack over more than a bounded stretch.
"""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False  # the module typing would cost a third of a cold start
if TYPE_CHECKING:
    from typing import Any

LIMIT = 160_000  # characters; longer texts keep their ends and what surrounds telling words
LINES = 6_000  # lines that are read at most, a third of them from the beginning
HEAD, TAIL, AROUND = 24_000, 40_000, 2_000
SIGNALS = (
    "meta tensor",
    "Meta tensor",
    "on meta",
    "meta device",
    "device meta",
    "='meta'",
    "offload",
    "and meta",
    "meta and ",
    "'Meta' backend",
    "device_map",
    "Traceback (most recent call last)",
    "Error: ",
)


class Later:
    """A pattern that is compiled when it is first used: many pastes need few of them, and starting counts."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern)
        self.match, self.search, self.sub = compiled.match, compiled.search, compiled.sub
        return getattr(compiled, name)


TYPOGRAPHY = (
    ("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f", ""),
    ("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000", " "),
    ("\u2028\u2029\u0085", "\n"),
    ("\u2018\u2019\u201a\u201b\u2032\u00b4\uff07", "'"),
    ("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'),
    ("\u2026\u22ef\u2025", "..."),
    ("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    ("\u2500\u2501\u256d\u256e\u2570\u256f\u250c\u2510\u2514\u2518\u251c\u2524\u2550", "-"),
    ("\u2502\u2503\u2551\uff5c", "|"),
    ("\u203a", ">"),
    ("\u2771\u276f", "-->"),
    ("\u2192\u27f6", "->"),
    ("\uff1a", ":"),
    ("\uff1b", ";"),
    ("\uff01", "!"),
    ("\uff08", "("),
    ("\uff09", ")"),
    ("\uff0c", ","),
    ("\u241b", "\x1b"),
)
_TYPOGRAPHY = {ord(char): value for chars, value in TYPOGRAPHY for char in chars}
_NON_ASCII = re.compile(r"[^\x00-\x7f]+")
_ANSI = Later(
    r"(?:\x1b|\\x1b|\\u001b|\\033|\\e)\[[0-9;?]{0,40}[A-Za-z]|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)"
    r"|\[(?:[0-9]{1,2}(?:;[0-9]{1,3}){0,4})?m"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TAG = Later(
    r"</?(?:a|b|i|p|br|div|span|pre|code|em|strong|details|summary|font|li|ul|td|tr|tt|blockquote)"
    r"(?: [^<>\n]{0,300})?/?>"
)
_BREAK = Later(r"<(?:br|/p|/div|/li|/tr|/pre)(?: ?/)?>")
_ENTITY = Later(r"&(?:amp;){0,4}(lt|gt|quot|apos|nbsp|#39|#x27|#34|#x60|#96|#10|amp);")
_ENTITIES = {
    "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " ", "#39": "'", "#x27": "'", "#34": '"',
    "#x60": "`", "#96": "`", "#10": "\n", "amp": "&",
}  # fmt: skip

# What schedulers, loggers, containers, test runners and quoting put before a line.
_PREFIX = re.compile(
    r"(?:"
    r"\[(?:[Rr]ank|RANK|default|worker|trainer)[ :]?(?P<rank>[0-9]{1,5})\]:?"
    r"|(?:[Rr]ank|RANK) ?(?P<bare>[0-9]{1,5}): "
    r"|(?:std(?:err|out):|\[std(?:err|out)\]|[0-9]{1,5}:) (?=\[[Rr]ank)"
    r"|\[(?P<mpi>[0-9]{1,4},[0-9]{1,5})\](?:<std(?:err|out)>)?:"
    r"|\((?P<ray>[A-Za-z_][A-Za-z0-9_.]{0,60},? pid=[0-9]{1,9}(?:, ip=[0-9.]{1,20})?)\)"
    r"|\[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ,][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
    r"(?:Z|[ ]?[+-][0-9]{2}:?[0-9]{2})?\]?:?"
    r"|\[?[0-9]{1,2}[-/][0-9]{1,2}(?:[-/][0-9]{2,4})?[ ,]{1,2}[0-9]{1,2}:[0-9]{2}:[0-9]{2}"
    r"(?:[.,][0-9]{1,9})?\]?"
    r"|\[?[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,:-][0-9]{1,9})?\]?(?= )"
    r"|[A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} [A-Za-z0-9._-]{1,60} [A-Za-z0-9._/-]{1,60}(?:\[[0-9]{1,9}\])?:"
    r"|[EWIF][0-9]{4} [0-9:.]{8,16} {1,8}[0-9]{1,20} [A-Za-z0-9_./-]{1,80}:[0-9]{1,6}\]"
    r"|std(?:err|out) [FP](?= )"
    r"|[a-z][a-z0-9_.-]{1,60}[-_][0-9]{1,3} {1,40}\|"
    r"|\[?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\]?(?:[ :|-]|$)"
    r"|\{[A-Za-z0-9_./-]{1,80}:[0-9]{1,6}\}"
    r"|E {2,16}"
    r"|>{1,8}(?: |$)"
    r"|\+[-+ ]{1,80}(?:[0-9]{1,3} -{1,80})?"
    r"|\|"
    r"|- (?=\[|[0-9]{4}-|[A-Z]{4,8}\b)"
    r")[ \t]*"
)
_AFTER = re.compile(r"[-:|]{1,3} {1,12}")
_ARROW = Later(r"-{1,9}> {0,4}[0-9]{1,7} {0,4}\|? {0,40}(.*)")
_FENCE = re.compile(r"(?:```|~~~)[A-Za-z0-9_+-]{0,20}$")
_RULE = re.compile(r"[-=*_~^ ]{3,}$")
HEADER = "Traceback (most recent call last)"
PREFIXED = 120  # characters that may stand before it in its line
_DIGITS = re.compile(r"[0-9]+")
REPEATED = "[Previous line repeated"
_MARKS = re.compile(r"[-=~^ |]{3,}$")
_LOST = Later(
    r" (?=(?:[A-Za-z_][A-Za-z0-9_]{0,40}\.){0,6}[A-Z][A-Za-z0-9_]{0,40}(?:Error|Exception|Interrupt)(?:: |$))"
    r"| (?=Traceback \(most recent call last\))"
    r"| (?=During handling of the above exception|The above exception was the direct cause)"
    r"| (?=-{3,}> ?[0-9]{1,6} )"
)

_FILE = re.compile(r"File [\"']?(.{1,400}?)[\"']?, line ([0-9]{1,7})(?:, in ([A-Za-z0-9_.<>]{1,200}))?")
_COLON = Later(
    r"(?:File )?([^ \t:\"'(][^\"'(]{0,400}?\.pyx?):([0-9]{1,7})(?:: |,)? ?(?:in )?([A-Za-z0-9_.<>]{1,200})?"
)
_CELL = Later(
    r"(?:(?:Cell )?In(?:put)? ?\[[0-9 ]{1,6}\]|<ipython-input-[0-9a-f-]{1,60}>)"
    r"(?:, line [0-9]{1,7})?,?(?: in ([A-Za-z0-9_.<>]{1,200}))?"
)
_OLD = Later(r"([^ \t\"'(][^\"'(]{0,400}?\.pyx?) in ([A-Za-z0-9_.<>]{1,200})")
_MESSAGE = re.compile(
    r"((?:[A-Za-z_][A-Za-z0-9_]{0,60}\.){0,8})"
    r"([A-Z][A-Za-z0-9_]{0,60}(?:Error|Exception|Warning|Interrupt|Exit|Failed|NotFound|Group)|Exception|NYI)"
    r"(?::[ \t]{0,8}(.*)|$)"
)
_WARNED = Later(r":[0-9]{1,7}: ([A-Z][A-Za-z]{2,40}Warning): (.*)")
_LIBRARY = re.compile(r"(?:site|dist)-packages/|/lib/python[0-9.]{1,6}/|\.zip/|\.egg/|\.whl/")
PACKAGES = (
    "torch", "transformers", "accelerate", "peft", "diffusers", "safetensors", "deepspeed",
    "sentence_transformers", "bitsandbytes", "optimum", "torchao", "trl", "lightning",
)  # fmt: skip
_STDLIB = frozenset(("threading.py", "runpy.py", "contextlib.py", "copy.py", "pickle.py", "functools.py"))
_VERSION = re.compile(
    r"(?:^|[^A-Za-z0-9_./-])(python|pytorch|torch|transformers|accelerate|safetensors|peft|diffusers"
    r"|sentence[-_]transformers|deepspeed|bitsandbytes|torchao|timm)[`*\"']{0,3}"
    r"(?: {0,2}version)?(?: \(gpu\?\))?"
    r"(?:(?:==|[ :=@|`*\"'v\t]{1,12})([0-9]{1,4}\.[0-9]{1,4}[0-9A-Za-z.+]{0,24})"
    r"|(?: v|==)([0-9]{1,2})(?![0-9A-Za-z.]))"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{1,60}")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def ascii_text(text: str) -> str:
    """The text in ASCII: typographic signs as their plain forms, all else that is not ASCII as `?`."""
    if text.isascii():
        return text
    return _NON_ASCII.sub("?", text.translate(_TYPOGRAPHY))


def bound(text: str) -> str:
    """At most LIMIT characters of an ASCII text: both ends and the surroundings of telling words."""
    if len(text) <= LIMIT:
        return text
    windows = [(0, HEAD), (len(text) - TAIL, len(text))]
    for signal in SIGNALS:
        at = -1
        for _ in range(2):
            at = text.find(signal, at + 1 if at < 0 else at + AROUND)
            if at < 0:
                break
            windows.append((max(0, at - AROUND), min(len(text), at + AROUND)))
        at = len(text) - TAIL
        for _ in range(2):
            at = text.rfind(signal, 0, max(0, at))
            if at < 0:
                break
            windows.append((max(0, at - AROUND), min(len(text), at + AROUND)))
            at -= AROUND
    parts: list[str] = []
    end = 0
    for start, stop in sorted(windows):
        if stop <= end:
            continue
        if start > end:
            parts.append("\n...\n")
        parts.append(text[max(start, end) : stop])
        end = stop
    return "".join(parts)


def _unescaped(text: str) -> str:
    if "\\n" in text and (
        '\\n  File "' in text or "(most recent call last):\\n" in text or "\\nFile" in text
    ):
        text = text.replace("\\n", "\n").replace('\\"', '"')
    if "\x1b" in text or "[" in text:
        text = _ANSI.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: _ENTITIES[found[1]], text)
    if "<" in text and ">" in text:
        text = _TAG.sub("", _BREAK.sub("\n", text))
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return _CONTROL.sub(" ", text)


def _stripped(line: str) -> tuple[str, str]:
    """The line without prefixes, and the rank that one of them named."""
    line, rank, size = line.strip(" "), "", 0
    while size != len(line):
        size = len(line)
        if found := _PREFIX.match(line):
            rank = rank or found["rank"] or found["bare"] or found["mpi"] or found["ray"] or ""
            line = line[found.end() :]
            if found := _AFTER.match(line):
                line = line[found.end() :]
    if line.endswith("|"):
        line = line.rstrip("| ")
    return line.strip("- " if "Traceback (most recent" in line else " "), rank


def _unprefixed(lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The lines without a prefix that no list knows: what stands before a traceback's header and, but for
    its digits, before the line below as well.
    """
    known = None
    for at, (line, rank) in enumerate(lines):
        start = line.find(HEADER)
        if 0 < start <= PREFIXED and at + 1 < len(lines):
            prefix = re.compile(_DIGITS.sub("[0-9]{1,20}", re.escape(line[:start].rstrip(" "))) + " {0,8}")
            if prefix.match(lines[at + 1][0]):
                known = prefix
        if known and (found := known.match(line)):
            inner, own = _stripped(line[found.end() :])
            lines[at] = (inner, rank or own)
    return lines


def clean(text: str) -> list[str]:
    """Lines of a paste without what shells, loggers, browsers and forums wrapped around them.

    Lines of several ranks are untangled: each rank's lines follow one another.
    """
    return _cleaned(text)[0]


def _cleaned(text: str) -> tuple[list[str], list[str]]:
    """The lines, and the ranks that printed some of them."""
    lines: list[str] = []
    ranked: dict[str, list[str]] = {}
    raws = _unescaped(bound(ascii_text(text))).split("\n")
    if len(raws) > LINES:
        raws = [*raws[: LINES // 3], "...", *raws[-LINES * 2 // 3 :]]
    for line, rank in _unprefixed([_stripped(raw) for raw in raws]):
        if not line or _FENCE.match(line):
            continue
        if _MARKS.match(line) or _RULE.match(line):
            continue
        (ranked.setdefault(rank, []) if rank else lines).append(line)
    for group in ranked.values():
        lines += group
    return _rewrapped(lines), list(ranked)


def _rewrapped(lines: list[str]) -> list[str]:
    """Mend wrapped frame lines and give back newlines that were lost."""
    mended: list[str] = []
    for line in lines:
        last = mended[-1] if mended else ""
        if len(last) > 40 and last.startswith('File "') and ", in " not in last:
            joined = last + (" " if last.endswith(("in", ",", "line")) else "") + line
            if (found := _FILE.match(joined)) and found[3]:
                mended[-1] = joined
                continue
        if len(line) > 80 and ("File " in line or "Traceback" in line or ": line" in line):
            mended += _unjoined(line)
        else:
            mended.append(line)
    return mended


def _unjoined(line: str) -> list[str]:
    if (
        line.count('File "') + line.count("File /") + line.count("File ~") < 2
        and "Traceback (most" not in line[1:]
    ):
        return [line]
    line = line.replace(' File "', '\nFile "').replace(" File /", "\nFile /").replace(" File ~", "\nFile ~")
    return [part.strip(" ") for part in _LOST.sub("\n", line).split("\n") if part.strip(" ")]


class Frame:
    """One stack frame: module path with slashes, function's last name, line number, whose code it is.

    `at` is its line of the paste, `code` the source line that the paste shows for it in line `code_at`.
    """

    __slots__ = ("at", "code", "code_at", "function", "line", "module", "user")

    def __init__(self, module: str, function: str, line: int, user: bool, at: int) -> None:
        self.module, self.function, self.line, self.user, self.at = module, function, line, user, at
        self.code, self.code_at = "", at


@lru_cache(512)
def module_of(path: str) -> tuple[str, bool]:
    """Path of a source file from its package on, without suffix, and whether it is the user's code."""
    path = path.replace("\\\\", "/").replace("\\", "/").strip(" ")
    if path.startswith("~/"):
        path = path[2:]
    user = True
    for found in _LIBRARY.finditer(path):
        path_end = found.end()
        user = False
    if user:
        for package in PACKAGES:
            at = path.rfind("/" + package + "/")
            inside = path[at + 1 :] if at >= 0 else path if path.startswith(package + "/") else ""
            if inside and not inside.startswith(
                (f"{package}/examples/", f"{package}/src/", f"{package}/tests/", f"{package}/scripts/")
            ):
                path, user = inside, False
                break
    else:
        path = path[path_end:]
        if path.startswith(("transformers_modules/", "ipykernel_launcher")):
            user = True
    at = path.rfind("transformers_modules/")
    if at >= 0:
        path, user = path[at:], True
    name = path[path.rfind("/") + 1 :]
    if path.startswith("<frozen ") or name in _STDLIB:
        user = False
    if path.endswith(".py"):
        path = path[:-3]
    elif path.endswith(".pyx"):
        path = path[:-4]
    if path.endswith("/__init__"):
        path = path[:-9]
    return path, user


def frame_of(line: str, at: int) -> Frame | None:
    """The frame that a cleaned line shows, in any of the formats of CPython, IPython, pytest and rich."""
    if line.startswith("File ") and (found := _FILE.match(line)):
        path, number, function = found[1], found[2], found[3] or ""
    elif ("In [" in line[:10] or "In[" in line[:10] or line.startswith(("Input In", "<ipython"))) and (
        found := _CELL.match(line)
    ):
        return Frame("<cell>", _last(found[1] or "<module>"), 0, True, at)
    elif ".py" in line:
        if found := _COLON.match(line):
            path, number, function = found[1], found[2], found[3] or ""
        elif found := _OLD.match(line):
            path, number, function = found[1], "0", found[2]
        else:
            return None
        if " " in path and "/" not in path and "\\" not in path:
            return None
    else:
        return None
    if function and _MESSAGE.match(function):
        function = ""
    module, user = module_of(path)
    return Frame(module, _last(function), int(number), user, at)


def _last(function: str) -> str:
    return function[function.rfind(".") + 1 :]


class Paste:
    """What a text holds. Line numbers count from 0 in `lines`.

    `frames` in order; `messages` are (line, type, text) of exceptions and warnings; `versions` by
    package; `ranks` are those whose prefix stood before lines; `complete` tells that a traceback stands
    there from its header to its message uncut.
    """

    __slots__ = ("complete", "frames", "lines", "messages", "ranks", "versions")

    def __init__(self, text: str) -> None:
        self.lines, self.ranks = _cleaned(text)
        self.frames: list[Frame] = []
        self.messages: list[tuple[int, str, str]] = []
        self.complete = False
        header, cut = -1, False
        for at, line in enumerate(self.lines):
            if ": " in line and (found := _WARNED.search(line)):
                self.messages.append((at, found[1], found[2]))
            elif frame := frame_of(line, at):
                self.frames.append(frame)
            elif found := _MESSAGE.match(line):
                self.messages.append((at, found[2], found[3] or ""))
                if header >= 0 and not cut and self.frames and self.frames[-1].at > header:
                    self.complete = True
                header = -1
            elif HEADER in line:
                header, cut = at, False
            elif line.startswith(("...", "[...", "(...", "<snip", "[snip")):
                cut = True
            elif self.frames and not line.startswith(REPEATED):
                frame = self.frames[-1]
                found = _ARROW.match(line)
                if found or frame.at == at - 1:
                    frame.code, frame.code_at = found[1] if found else line, at
        self.versions = versions_in(self.lines)


def versions_in(lines: list[str]) -> dict[str, str]:
    """Releases by package that the lines state, the first of several."""
    versions: dict[str, str] = {}
    for line in lines:
        if len(line) > 400 or line.startswith("File "):
            continue
        for found in _VERSION.finditer(line.lower()):
            name = found[1].replace("_", "-")
            name = "torch" if name == "pytorch" else name
            versions.setdefault(name, (found[2] or found[3]).rstrip("."))
    return versions


def stem(word: str) -> str:
    """The word without the commonest English endings."""
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def words_of(text: str, whole: bool = False) -> list[str]:
    """Distinct words of a text in order: identifiers whole and in parts, lower case, stemmed.

    With `whole`, an identifier of several parts is one word, so that nothing counts twice.
    """
    seen: dict[str, None] = {}
    for name in dict.fromkeys(_NAME.findall(text)):
        if name.isalpha() and name.islower():
            seen.setdefault(stem(name))
            continue
        parts = _PART.findall(name)
        if len(parts) > 1:
            seen.setdefault(name.lower())
            if whole:
                continue
        for part in parts:
            if len(part) > 1 and not part.isdigit():
                seen.setdefault(stem(part.lower()))
    return list(seen)
