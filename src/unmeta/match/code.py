"""One statement of Python, read just far enough to compare two: chains of names, calls and their arguments.

Pastes hold single lines of code, often cut off, which no parser takes. `docs/assets/javascripts/result.js`
reads them the same way.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from typing import Any

    Item = Any  # a Word or a Group

MOST = 600  # characters of a statement that are read
TOKEN = re.compile(
    r"""[rbfuRBFU]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*"""
    r"""|\*\*|:=|[=!<>]=|[^ ]"""
)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LITERAL = re.compile(r"""[rbfuRBFU]{0,2}["'].*|[0-9].*""", re.DOTALL)
LEADING = ("return", "await", "yield", "with", "for", "if", "while", "assert", "raise", "del", "async")
CLOSES = {")": "(", "]": "[", "}": "{"}


class Word:
    """A name, literal or sign, and where it stands."""

    __slots__ = ("at", "end", "text")

    def __init__(self, text: str, at: int, end: int) -> None:
        self.text, self.at, self.end = text, at, end


class Group:
    """What stands in brackets, in parts between commas; `whole` where the closing bracket is there."""

    __slots__ = ("at", "end", "parts", "sign", "whole")

    def __init__(self, sign: str, at: int) -> None:
        self.sign, self.at, self.end, self.whole = sign, at, at + 1, False
        self.parts: list[list[Item]] = [[]]


class Statement:
    """A line: keywords in front, the target that is assigned to, and the expression."""

    __slots__ = ("expression", "keywords", "target", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        items = read(text)
        self.keywords: list[str] = []
        while items and isinstance(items[0], Word) and items[0].text in LEADING:
            self.keywords.append(items.pop(0).text)
        signs = [item.text if isinstance(item, Word) else "" for item in items]
        self.target: list[Item] = []
        if "=" in signs and not self.keywords:
            self.target, items = items[: signs.index("=")], items[signs.index("=") + 1 :]
        elif "with" in self.keywords and "as" in signs:
            items = items[: signs.index("as")]
        if items and isinstance(items[-1], Word) and items[-1].text == ":":
            items.pop()
        self.expression = items


def read(text: str) -> list[Item]:
    """The items of a line; a bracket that is not closed ends with it, a comment is left out."""
    top = Group("", 0)
    stack = [top]
    for found in TOKEN.finditer(text[:MOST]):
        word = found[0]
        if word == "#":
            break
        if word in "([{":
            group = Group(word, found.start())
            stack[-1].parts[-1].append(group)
            stack.append(group)
        elif word in CLOSES:
            if len(stack) > 1 and stack[-1].sign == CLOSES[word]:
                group = stack.pop()
                group.end, group.whole = found.end(), True
        elif word == "," and len(stack) > 1:
            stack[-1].parts.append([])
        else:
            stack[-1].parts[-1].append(Word(word, found.start(), found.end()))
        for group in stack[1:]:
            group.end = found.end()
    return top.parts[0]


def source(text: str, items: list[Item]) -> str:
    """The text that items stand for."""
    return text[items[0].at : items[-1].end] if items else ""


def is_name(item: Item) -> bool:
    """Whether an item is an identifier."""
    return isinstance(item, Word) and NAME.fullmatch(item.text) is not None


def is_literal(item: Item) -> bool:
    """Whether an item is a string or a number."""
    return isinstance(item, Word) and LITERAL.fullmatch(item.text) is not None


def suffixes(items: list[Item]) -> list[Item] | None:
    """What follows the first name of a chain `name.name(…)[…]`: names without dots, and groups; None for
    anything else.
    """
    if not items or not is_name(items[0]):
        return None
    found: list[Item] = []
    at = 1
    while at < len(items):
        item = items[at]
        if isinstance(item, Group) and item.sign != "{":
            found.append(item)
        elif isinstance(item, Word) and item.text == "." and at + 1 < len(items) and is_name(items[at + 1]):
            at += 1
            found.append(items[at])
        else:
            return None
        at += 1
    return found


def arguments(group: Group) -> tuple[list[list[Item]], dict[str, list[Item]], bool]:
    """Positional arguments, those by keyword, and whether others may stand behind a star."""
    given: list[list[Item]] = []
    named: dict[str, list[Item]] = {}
    starred = False
    for part in group.parts:
        if len(part) > 2 and is_name(part[0]) and isinstance(part[1], Word) and part[1].text == "=":
            named[part[0].text] = part[2:]
        elif part and isinstance(part[0], Word) and part[0].text in ("*", "**"):
            starred = True
        elif part:
            given.append(part)
    return given, named, starred
