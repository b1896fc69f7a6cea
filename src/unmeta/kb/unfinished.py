"""Rules for entries that somebody has begun: nothing is left to fill in, and clues tell something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from unmeta.kb.check import Rule, at, shown_with_paths
from unmeta.kb.findings import Finding, named
from unmeta.kb.load import Catalogue
from unmeta.kb.model import Cause
from unmeta.kb.prose import entries, prose

TODO = named("todo", "nothing is left to fill in")
NO_QUESTION = named("no-question", "what a reader is asked is a question")
TELLS_NOTHING = named("tells-nothing", "a word of `says` is not one that most entries use")
LEFT = re.compile(r"\bTODO\b|^todo$|\btodo-symptom\b")
LONG_TITLE = named("long-title", "a title is read at a glance")
CURLY = named("curly-quotes", "quotation marks are straight, as in code and in messages")
MAX_TITLE = 120
FEW = 10
"""Causes below which no word is common."""


def nothing_is_left_to_do(catalogue: Catalogue) -> Iterator[Finding]:
    """No TODO of `unmeta new` stands in an entry or a snippet."""
    for folder, name, entry in entries(catalogue):
        left = [path for path, text in _strings(entry.model_dump()) if LEFT.search(text)]
        if left:
            keys = ", ".join(".".join(map(str, path)) for path in left)
            yield at(catalogue, folder, name, left[0], TODO, f"still to write: {keys}", "write them")
    for key, snippet in catalogue.snippets.items():
        lines = [str(at) for at, line in enumerate(snippet.text.split("\n"), 1) if LEFT.search(line)]
        if lines:
            message = f"still to write: line{'s' if len(lines) > 1 else ''} {', '.join(lines)}"
            yield Finding(f"snippets/{key}", int(lines[0]), TODO, message, "write them, and drop the TODO")


def asks_are_questions(catalogue: Catalogue) -> Iterator[Finding]:
    """A question that a reader can answer with yes or no ends as one."""
    for cause in catalogue.causes.values():
        for shown, path in shown_with_paths(cause):
            for index, clue in enumerate(shown.clues):
                if clue.ask is not None and not clue.ask.rstrip('"”)').endswith("?"):
                    place = (*path, "clues", index, "ask")
                    remedy = "ask what only this cause answers with yes, and end it with a question mark"
                    yield at(catalogue, "causes", cause.id, place, NO_QUESTION, "this is no question", remedy)


def phrases_tell_something(catalogue: Catalogue) -> Iterator[Finding]:
    """A word that half of all entries use singles nothing out."""
    if len(catalogue.causes) < FEW:
        return
    texts = [_words(cause) for cause in catalogue.causes.values()]
    for cause in catalogue.causes.values():
        for shown, path in shown_with_paths(cause):
            for index, clue in enumerate(shown.clues):
                for word in clue.says or ():
                    used = sum(word.lower() in text for text in texts)
                    if word.isalpha() and 2 * used > len(texts):
                        place = (*path, "clues", index, "says")
                        message = f"{word!r} stands in {used} of {len(texts)} entries"
                        remedy = "take what only people with this cause say"
                        yield at(catalogue, "causes", cause.id, place, TELLS_NOTHING, message, remedy)


def titles_are_short(catalogue: Catalogue) -> Iterator[Finding]:
    """A title fits into a list, a tab and a line of a terminal."""
    for cause in catalogue.causes.values():
        if len(cause.title) > MAX_TITLE:
            message = f"{len(cause.title)} characters, at most {MAX_TITLE}"
            yield at(catalogue, "causes", cause.id, ("title",), LONG_TITLE, message, "say it in fewer words")


def quotes_are_straight(catalogue: Catalogue) -> Iterator[Finding]:
    """Curly quotes come from word processors; whoever searches for a message types straight ones."""
    for folder, name, path, text in prose(catalogue):
        if found := re.search("[\u2018\u2019\u201c\u201d]", text):
            message, remedy = f"{found[0]!r} is a curly quote", "write ' or \""
            yield at(catalogue, folder, name, path, CURLY, message, remedy)


def _words(cause: Cause) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", f"{cause.title} {cause.summary} {cause.cause}".lower()))


def _strings(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _strings(item, (*path, index))
    elif isinstance(value, str):
        yield path, value


UNFINISHED_RULES: tuple[Rule, ...] = (
    nothing_is_left_to_do,
    asks_are_questions,
    phrases_tell_something,
    titles_are_short,
    quotes_are_straight,
)
