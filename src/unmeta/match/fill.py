"""A fix's change in the reader's own names: the lines that it removes are found in the paste.

A line of the change and a line of the reader agree where the same calls stand in them; names and values may
differ, and are put into the rest of the change. Where the change only touches arguments of a call, the
reader's other arguments stay. `docs/assets/javascripts/result.js` does the same.
"""

from __future__ import annotations

import re

from unmeta.match.code import (
    NAME,
    TOKEN,
    Group,
    Statement,
    Word,
    arguments,
    is_literal,
    is_name,
    source,
    suffixes,
)

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unmeta.match.code import Item

    Row = tuple[str, str]
    Names = dict[str, str]

MOVES = ("to", "cuda", "cpu", "half", "float", "bfloat16")
MODULES = ("torch", "nn", "os", "copy", "dist", "threading", "F")
NUMERIC = re.compile(r"dtype|float|half|int8")


class Filled:
    """A change in the reader's names: its rows, and for the rows that are the reader's the line of each.

    `marks` are the (start, end) of what the change touches in the first line that it removes or alters.
    """

    __slots__ = ("line", "marks", "own", "rows")

    def __init__(self, rows: list[Row], own: dict[int, int], line: int, marks: list[list[int]]) -> None:
        self.rows, self.own, self.line, self.marks = rows, own, line, marks


def rows_of(diff: str) -> list[Row]:
    """Sign and text of each line of a change."""
    return [("@", "") if line == "@@" else (line[:1] or " ", line[1:]) for line in diff.split("\n")]


def fill(rows: Sequence[Row], lines: Sequence[str]) -> Filled | None:
    """The change in the names of the reader's lines, the most telling of which come first; None where none
    of them is what the change is about.
    """
    return _Filling(rows).filled([Statement(line) for line in lines])


class _Filling:
    """One change on its way to the reader's names.

    `values` are the names in it that stand for objects: they may be called by another name even where
    they are called as functions are.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.read = [Statement(text.strip()) for _, text in rows]
        self.pairs = paired(rows, self.read)
        self.names: Names = {}
        self.values = {name for _, text in rows for name in owners(text)}

    def filled(self, lines: Sequence[Statement]) -> Filled | None:
        """The change in the names of the lines."""
        taken: dict[int, int] = {}
        edited: dict[int, str] = {}
        rest: dict[int, str] = {}
        for wanted in ("-", " "):
            for at, (sign, text) in enumerate(self.rows):
                if sign != wanted or not _tells(text, self.read[at]):
                    continue
                for line, theirs in enumerate(lines):
                    if line not in taken.values() and self._take(at, theirs, edited, rest):
                        taken[at] = line
                        break
        if not taken:
            return None
        result: list[Row] = []
        own: dict[int, int] = {}
        nested = any(sign in "+-" and text[:1] == " " for sign, text in self.rows) or _reordered(self.rows)
        left = ""  # what is left of a line that goes, until the lines in its place are there
        for at, (sign, text) in enumerate(self.rows):
            indent = text[: len(text) - len(text.lstrip())]
            if left and sign != "+":
                result.append(("+", left))
                left = ""
            if at in taken:
                own[len(result)] = taken[at]
                result.append((sign, indent + lines[taken[at]].text))
                left = indent + rest[at] if at in rest else self._returned(at, lines[taken[at]], edited)
            elif at in edited:
                result.append((sign, indent + edited[at]))
            elif sign in "+-" or (nested and text.strip()):
                result.append((sign, substitute(text, self.names)))
        if left:
            result.append(("+", left))
        gone = [at for at in taken if self.rows[at][0] == "-"]
        if not gone:
            return Filled(result, own, -1, [])
        after = self.read[self.pairs[gone[0]]] if self.pairs.get(gone[0], -1) in edited else None
        return Filled(result, own, taken[gone[0]], marks_of(lines[taken[gone[0]]], self.read[gone[0]], after))

    def _returned(self, at: int, theirs: Statement, edited: Mapping[int, str]) -> str:
        """What is returned in place of a line that returned what the change gives a name; else empty."""
        ours = self.read[at]
        if self.rows[at][0] != "-" or self.pairs.get(at, -1) in edited or "return" in ours.keywords:
            return ""
        if theirs.keywords != ["return"] or not ours.target:
            return ""
        return "return " + substitute(source(ours.text, ours.target), self.names)

    def _take(self, at: int, theirs: Statement, edited: dict[int, str], rest: dict[int, str]) -> bool:
        """Whether a line of the reader is that of a row; then its names are kept, and what becomes of it."""
        sign, ours = self.rows[at][0], self.read[at]
        below = self.pairs.get(at, -1)
        known = dict(self.names)
        alone = sign == "-" and below < 0
        if alone and (loaded := _loaded(ours, theirs)):
            rest[at] = loaded
            return True
        if not self.agrees(ours, theirs, known, alone):
            return False
        if below >= 0:
            same = self.read[below].text == ours.text
            new = theirs.text if same else self.edit(ours, self.read[below], theirs, known)
            if new is not None:
                if new == theirs.text and not same:
                    return False  # the reader's call is as the fix would have it
                edited[below] = new
        elif alone and (theirs.keywords or theirs.target) and last_call(ours) == "to":
            kept = theirs.text[: theirs.text.rindex(".", 0, theirs.expression[-2].at + 1)]
            value = kept[theirs.expression[0].at :]
            if source(theirs.text, theirs.target) != value:
                rest[at] = kept
        self.names = known
        return True

    def agrees(self, ours: Statement, theirs: Statement, names: Names, moved: bool) -> bool:
        """Whether a line of the reader is what a line of a change stands for; then `names` knows more.

        `moved` where any move of a module stands for any other.
        """
        if ("with" in ours.keywords) != ("with" in theirs.keywords) or "for" in theirs.keywords:
            return False
        if not self._same(ours, ours.expression, theirs, theirs.expression, names, moved):
            return False
        if len(ours.target) == 1 and theirs.target and is_name(ours.target[0]):
            return _bind(ours.target[0].text, source(theirs.text, theirs.target), names)
        return True

    def _same(
        self,
        ours: Statement,
        mine: list[Item],
        theirs: Statement,
        other: list[Item],
        names: Names,
        moved: bool,
    ) -> bool:
        if not mine or not other:
            return False
        if len(mine) == 1 and (is_name(mine[0]) or is_literal(mine[0])):
            return _value(mine[0].text, source(theirs.text, other), names)
        own, their = suffixes(mine), suffixes(other)
        if len(mine) == len(other) == 1 and isinstance(mine[0], Group) and isinstance(other[0], Group):
            if mine[0].sign != other[0].sign or len(mine[0].parts) != len(other[0].parts):
                return False
            return all(
                self._same(ours, part, theirs, given, names, False) or not part
                for part, given in zip(mine[0].parts, other[0].parts, strict=True)
            )
        if own is None or their is None:
            return source(ours.text, mine) == source(theirs.text, other)
        return self._chain(ours, mine[0], own, theirs, other, their, names, moved)

    def _chain(
        self,
        ours: Statement,
        head: Word,
        own: list[Item],
        theirs: Statement,
        other: list[Item],
        their: list[Item],
        names: Names,
        moved: bool,
    ) -> bool:
        at, left = len(own), len(their)
        while at:
            if not left:
                # A function that is imported by name, or called by its module's.
                return False
            mine, given = own[at - 1], their[left - 1]
            if isinstance(mine, Group):
                if not isinstance(given, Group) or mine.sign != given.sign:
                    return False
                function = at == 1
                if (
                    function
                    and mine.sign == "("
                    and not self._function(head.text, theirs, other, their[: left - 1], names)
                ):
                    return False
                if mine.sign == "(" and not self._arguments(ours, mine, theirs, given, names):
                    return False
                if function and mine.sign == "(":
                    return True
            elif isinstance(given, Group) or (
                mine.text != given.text
                and not (moved and at == len(own) - 1 and mine.text in MOVES and given.text in MOVES)
            ):
                return False
            at, left = at - 1, left - 1
        rest = their[:left]
        text = theirs.text[other[0].at : (rest[-1] if rest else other[0]).end]
        if any(isinstance(item, Group) and item.sign == "(" for item in rest):
            return False
        last = rest[-1].text if rest and isinstance(rest[-1], Word) else other[0].text
        if head.text in MODULES:
            return last == head.text
        if not _capital(head.text) and _capital(last):
            return False
        return _bind(head.text, text, names)

    def _function(
        self, name: str, theirs: Statement, other: list[Item], before: list[Item], names: Names
    ) -> bool:
        """Whether the reader calls the same function, or a class or object of another name."""
        if any(isinstance(item, Group) for item in before):
            return False
        last = before[-1] if before else other[0]
        if last.text == name:
            return True
        if _capital(name) and _capital(last.text):
            return _bind(name, theirs.text[other[0].at : last.end], names)
        return name in self.values and _bind(name, theirs.text[other[0].at : last.end], names)

    def _arguments(self, ours: Statement, mine: Group, theirs: Statement, given: Group, names: Names) -> bool:
        """Take names from arguments that stand in the same place; others say nothing."""
        own, own_named, _ = arguments(mine)
        their, their_named, starred = arguments(given)
        pairs = list(zip(own, their, strict=False)) if not starred else []
        pairs += [(part, their_named[name]) for name, part in own_named.items() if name in their_named]
        for part, other in pairs:
            known = dict(names)
            if self._same(ours, part, theirs, other, known, False):
                names.update(known)
            elif source(ours.text, part) in ('"meta"', "'meta'"):
                return False
        return True

    def edit(self, ours: Statement, after: Statement, theirs: Statement, names: Names) -> str | None:
        """The reader's line with the arguments changed as the fix changes them.

        None where the fix changes more than that, or the line is cut off.
        """
        old, new, their = suffixes(ours.expression), suffixes(after.expression), suffixes(theirs.expression)
        if old is None or new is None or their is None or len(old) != len(new) or len(their) < len(old):
            return None
        if ours.expression[0].text != after.expression[0].text or ours.keywords != after.keywords:
            return None
        if source(ours.text, ours.target) != source(after.text, after.target):
            return None
        text, changed = theirs.text, False
        for back in range(1, len(old) + 1):
            mine, wanted, given = old[-back], new[-back], their[-back]
            if isinstance(mine, Word) or isinstance(wanted, Word):
                if getattr(mine, "text", "") != getattr(wanted, "text", ""):
                    return None
                continue
            if source(ours.text, [mine]) == source(after.text, [wanted]):
                continue
            if (
                mine.sign != "("
                or not isinstance(given, Group)
                or not (given.whole and mine.whole and wanted.whole)
            ):
                return None
            inner = self._edited(ours, mine, after, wanted, theirs, given, names)
            if inner is None:
                return None
            text = f"{text[: given.at]}({inner}){text[given.end :]}"
            changed = True
        return text if changed else None

    def _edited(
        self,
        ours: Statement,
        mine: Group,
        after: Statement,
        wanted: Group,
        theirs: Statement,
        given: Group,
        names: Names,
    ) -> str | None:
        own, own_named, _ = arguments(mine)
        new, new_named, _ = arguments(wanted)
        parts = [part for part in given.parts if part]
        places = [at for at, part in enumerate(parts) if not _named(part) and not _starred(part)]
        texts: list[str | None] = [source(theirs.text, part) for part in parts]
        touched = False
        for at, part in enumerate(own):
            before = source(ours.text, part)
            now = source(after.text, new[at]) if at < len(new) else None
            if now == before:
                continue
            if at >= len(places):
                return None
            if now is not None and not self._same(ours, part, theirs, parts[places[at]], names, False):
                return None
            texts[places[at]] = None if now is None else substitute(now, names)
            touched = True
        for name in own_named:
            if name not in new_named:
                for at, other in enumerate(parts):
                    if _named(other) == name:
                        texts[at] = None
                        touched = True
        more = [substitute(source(after.text, part), names) for part in new[len(own) :]]
        for name, part in new_named.items():
            value = source(after.text, part)
            if name in own_named and source(ours.text, own_named[name]) == value:
                continue
            written = f"{name}={substitute(value, names)}"
            at = next((at for at, other in enumerate(parts) if _named(other) == name), -1)
            if at >= 0:
                touched = touched or texts[at] != written
                texts[at] = written
            else:
                more.append(written)
        if not touched and not more:
            return ", ".join(filter(None, texts))
        kept = [text for text in texts if text is not None]
        tail = [text for at, text in enumerate(texts) if text is not None and _starred(parts[at])]
        return ", ".join([*[text for text in kept if text not in tail], *more, *tail])


def _reordered(rows: Sequence[Row]) -> bool:
    """Whether a change moves a line, which says nothing without the lines that it passes."""
    gone = {text.strip() for sign, text in rows if sign == "-"}
    return any(sign == "+" and text.strip() in gone and text[:1] != " " for sign, text in rows)


def owners(text: str) -> set[str]:
    """Names in a line of which something is asked: they stand for objects."""
    words = ["", *TOKEN.findall(text)]
    return {
        name
        for before, name, after in zip(words, words[1:], words[2:], strict=False)
        if after == "."
        and before != "."
        and NAME.fullmatch(name)
        and name not in MODULES
        and not _capital(name)
    }


def _loaded(ours: Statement, theirs: Statement) -> str:
    """A line that loads and moves in one, without the move; empty for any other, and for any other row."""
    found = suffixes(theirs.expression) or []
    if last_call(ours) != "to" or len(suffixes(ours.expression) or []) != 2 or last_call(theirs) not in MOVES:
        return ""
    if len(found) < 4 or not any(isinstance(item, Word) and item.text == "from_pretrained" for item in found):
        return ""
    return theirs.text[: theirs.text.rindex(".", 0, found[-2].at)]


def paired(rows: Sequence[Row], read: Sequence[Statement]) -> dict[int, int]:
    """For a removed row the added one that takes its place: the first below it that ends in the same call."""
    pairs: dict[int, int] = {}
    for at, (sign, _) in enumerate(rows):
        if sign != "-":
            continue
        name = last_call(read[at])
        for below in range(at + 1, len(rows)):
            if rows[below][0] not in "+-":
                break
            free = rows[below][0] == "+" and below not in pairs.values()
            if free and name and last_call(read[below]) == name:
                pairs[at] = below
                break
    return pairs


def last_call(statement: Statement) -> str:
    """Name of the outermost call of a statement; empty where there is none."""
    found = suffixes(statement.expression)
    for at in range(len(found or ()) - 1, -1, -1):
        assert found is not None
        if isinstance(found[at], Group) and found[at].sign == "(":
            before = found[at - 1] if at else statement.expression[0]
            return before.text if isinstance(before, Word) else ""
    return ""


def _tells(text: str, statement: Statement) -> bool:
    """Whether a row holds a call that a reader's line can be known by."""
    return not text.lstrip().startswith(("from ", "import ", "def ", "class ", "@")) and bool(
        last_call(statement)
    )


def _bind(name: str, value: str, names: Names) -> bool:
    if names.get(name, value) != value:
        return False
    names[name] = value
    return True


def _value(name: str, value: str, names: Names) -> bool:
    """Take what the reader has in the place of a name or literal of the change."""
    if name in ('"meta"', "'meta'"):
        return value.replace("'", '"') == '"meta"'
    if name in ("True", "False", "None") or name[0].isdigit():
        return True
    if name == "device" and NUMERIC.search(value):
        return True  # a move to another dtype names no device
    return _bind(name, value, names)


def _capital(name: str) -> bool:
    return "A" <= name[:1] <= "Z"


def _named(part: list[Item]) -> str:
    named = len(part) > 2 and is_name(part[0]) and isinstance(part[1], Word) and part[1].text == "="
    return str(part[0].text) if named else ""


def _starred(part: list[Item]) -> bool:
    return isinstance(part[0], Word) and part[0].text in ("*", "**")


def substitute(text: str, names: Names) -> str:
    """The text with the reader's names and values in place of those of the change."""
    if text.lstrip().startswith(("from ", "import ")):
        return text
    result, end, last = [], 0, ""
    found = list(TOKEN.finditer(text))
    for number, token in enumerate(found):
        word = token[0]
        following = found[number + 1][0] if number + 1 < len(found) else ""
        # `name=` inside a call has no blank before its sign.
        keyword = following == "=" and text[token.end() : token.end() + 1] == "="
        if word in names and last not in (".", "def", "class") and not keyword:
            result += [text[end : token.start()], names[word]]
            end = token.end()
        last = word
    return "".join(result) + text[end:]


def marks_of(theirs: Statement, ours: Statement, after: Statement | None) -> list[list[int]]:
    """Where the change touches the reader's line: the call, and arguments that go or get another value.

    `after` is the line that takes the place of `ours`; without one the call goes.
    """
    found = suffixes(theirs.expression) or []
    calls = [n for n, item in enumerate(found) if isinstance(item, Group) and item.sign == "("]
    if not calls:
        return []
    last = calls[-1]
    word = found[last - 1] if last else theirs.expression[0]
    if not isinstance(word, Word):
        return []
    if after is None:
        return [[word.at, found[last].end]]
    marks = [[word.at, word.end]]
    old, new = suffixes(ours.expression) or [], suffixes(after.expression) or []
    before = next((arguments(item)[1] for item in reversed(old) if isinstance(item, Group)), {})
    now = next((arguments(item)[1] for item in reversed(new) if isinstance(item, Group)), {})
    for part in found[last].parts:
        name = _named(part) if part else ""
        if name in before and (
            name not in now or source(ours.text, before[name]) != source(after.text, now[name])
        ):
            marks.append([part[0].at, part[-1].end])
    return marks
