"""Message templates: literal text with named `{holes}`, found by plain string search.

A hole stands for one or more characters of any kind. A literal brace is doubled: `{{`, `}}`. Runs of
white space count as one blank and quotation marks of every kind (backticks too) count as nothing, so a
message matches however a terminal, a forum or a translator has dressed it. No regular expressions:
the time is linear in the text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeVar

    Owner = TypeVar("Owner")

QUOTES = "`'\"\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2032\u2033"
_NO_QUOTES = str.maketrans("", "", QUOTES)
_FOLD = str.maketrans("", "", QUOTES + " \t\r\n\f\v\u00a0")
HOLE_LIMIT = 600  # characters a hole may span where a message is sought inside a longer text
NAMES = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")


def plain(text: str) -> str:
    """The text on one line: white space runs as one blank, no quotation marks."""
    return " ".join(text.translate(_NO_QUOTES).split())


def fold(text: str) -> str:
    """The text without white space and quotation marks, in lower case: what templates are sought in."""
    return text.translate(_FOLD).lower()


def split(text: str) -> tuple[list[str], list[str]]:
    """Literals and names of holes of a template; there is always one literal more than holes.

    Raises ValueError where braces are unbalanced, a hole has no proper name or a name comes twice, or
    two holes touch.
    """
    literals: list[str] = []
    holes: list[str] = []
    literal, at = "", 0
    while at < len(text):
        char = text[at]
        if char in "{}" and text[at : at + 2] == char * 2:
            literal, at = literal + char, at + 2
            continue
        if char == "}":
            raise ValueError(f"a single '}}' at {at} of {text!r}; write '}}}}' for a literal brace")
        if char != "{":
            literal, at = literal + char, at + 1
            continue
        end = text.find("}", at)
        name = text[at + 1 : end] if end > 0 else ""
        if not name or not NAMES.issuperset(name):
            raise ValueError(
                f"no hole such as '{{name}}' at {at} of {text!r}; write '{{{{' for a literal brace"
            )
        if name in holes:
            raise ValueError(f"the hole {name!r} comes twice in {text!r}")
        if holes and not literal.strip():
            raise ValueError(f"no literal text between two holes of {text!r}")
        literals.append(literal)
        holes.append(name)
        literal, at = "", end + 1
    return [*literals, literal], holes


class Template:
    """One wording of a message.

    `literals` are the fixed parts (one more than `holes`, the first and last may be empty); `weight` is
    their length without white space: of two templates that match, the heavier one says more.
    Raises ValueError for a malformed `text`.
    """

    __slots__ = ("_parts", "folded", "holes", "literals", "text", "weight")

    def __init__(self, text: str) -> None:
        self.text = text
        self.literals, self.holes = split(text)
        self.folded = [fold(literal) for literal in self.literals]
        self.weight = sum(map(len, self.folded))
        if not self.weight:
            raise ValueError(f"{text!r} has no literal text")
        parts = [_spaced(literal) for literal in self.literals]
        parts[0], parts[-1] = parts[0].lstrip(), parts[-1].rstrip()
        self._parts = parts

    def match(self, message: str) -> dict[str, str] | None:
        """Values of the holes where the whole message has this wording, else None."""
        text = plain(message)
        parts = self._parts
        if len(parts) == 1:
            return {} if text == parts[0] else None
        if not text.startswith(parts[0]):
            return None
        at, values = len(parts[0]), {}
        for name, literal in zip(self.holes[:-1], parts[1:-1], strict=True):
            found = text.find(literal, at + 1)
            if found < 0:
                return None
            values[name] = text[at:found]
            at = found + len(literal)
        end = len(text) - len(parts[-1])
        if end <= at or not text.endswith(parts[-1]):
            return None
        values[self.holes[-1]] = text[at:end]
        return values

    def find(self, text: str) -> tuple[int, int] | None:
        """Span of the first place, in `fold(text)`, that has this wording; None where there is none."""
        found = spans(self.folded, fold(text))
        return (found[0][0][0], found[0][-1][1]) if found else None


def _spaced(literal: str) -> str:
    inner = plain(literal)
    if not inner:
        return " " if literal[:1].isspace() else ""
    return " " * literal[0].isspace() + inner + " " * literal[-1].isspace()


def best(templates: Mapping[Owner, Template], message: str) -> Owner | None:
    """Key of the template that matches the whole message with the most literal text; None for none."""
    names = [name for name, template in templates.items() if template.match(message) is not None]
    return max(names, key=lambda name: templates[name].weight, default=None)


Span = list[tuple[int, int]]


def spans(folded: list[str], text: str, limit: int = 6) -> list[Span]:
    """Places in a folded text that show the folded literals in order: the first ones and the last one.

    Each place is the list of the stretches that the literals cover. The longest literal is sought; the
    others must stand around it, each within HOLE_LIMIT characters.
    """
    pivot = 0
    for at, literal in enumerate(folded):
        if len(literal) > len(folded[pivot]):
            pivot = at
    sought = folded[pivot]
    found: list[Span] = []
    at = text.find(sought)
    for _ in range(limit):
        if at < 0:
            return found
        span = _around(folded, text, pivot, at)
        if span:
            found.append(span)
        at = text.find(sought, at + len(sought))
    if at >= 0:
        span = _around(folded, text, pivot, text.rfind(sought))
        if span and (not found or span[0][0] >= found[-1][-1][1]):
            found.append(span)
    return found


def _around(folded: list[str], text: str, pivot: int, at: int) -> Span | None:
    span = [(at, at + len(folded[pivot]))]
    for literal in reversed(folded[:pivot]):
        if literal:
            before = span[0][0]
            start = text.rfind(literal, max(0, before - HOLE_LIMIT - len(literal)), max(0, before - 1))
            if start < 0:
                return None
            span.insert(0, (start, start + len(literal)))
    for literal in folded[pivot + 1 :]:
        if literal:
            after = span[-1][1]
            start = text.find(literal, after + 1, after + HOLE_LIMIT + len(literal))
            if start < 0:
                return None
            span.append((start, start + len(literal)))
    return span
