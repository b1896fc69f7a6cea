"""Rules for prose: short, plain sentences, and links that lead somewhere."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from unmeta.kb.findings import Finding, named
from unmeta.kb.load import Catalogue

LINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
FILLER = re.compile(
    r"\b(simply|just|please|basically|obviously|of course|in order to|note that|it should be noted|easily|"
    r"actually|very|really|quite|as you can see|needless to say|unfortunately)\b",
    re.IGNORECASE,
)
FIRST_PERSON = re.compile(r"\b(I|we|We|our|Our|us|my|My|let's|Let's)\b")
CODE = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"", re.DOTALL)
PROSE_KEYS = ("title", "summary", "cause", "why", "costs", "statement", "says", "means", "note", "looks_like")
MAX_SENTENCES = 2


def entries(catalogue: Catalogue) -> Iterator[tuple[str, str, BaseModel]]:
    """Every entry: folder, id, model."""
    for folder, entries in (
        ("causes", catalogue.causes),
        ("symptoms", catalogue.symptoms),
        ("facts", catalogue.facts),
    ):
        for name, entry in entries.items():
            yield folder, name, entry


def _texts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _texts(item, (*path, index))
    elif isinstance(value, str) and path and path[-1] in PROSE_KEYS:
        yield path, value


def prose(catalogue: Catalogue) -> Iterator[tuple[str, str, tuple[str | int, ...], str]]:
    """Every piece of prose: folder, id, path of its key, text. Titles of symptoms are messages, not prose."""
    for folder, name, entry in entries(catalogue):
        for path, text in _texts(entry.model_dump()):
            if not (folder == "symptoms" and path == ("title",)):
                yield folder, name, path, text


def _finding(
    catalogue: Catalogue, place: tuple[str, str, tuple[str | int, ...]], rule: str, message: str, remedy: str
) -> Finding:
    folder, name, path = place
    line = catalogue.line(folder, name, *path)
    return Finding(f"kb/{folder}/{name}.yaml", line, rule, message, remedy)


def links_resolve(catalogue: Catalogue) -> Iterator[Finding]:
    """`[[id]]` names an entry."""
    known = {name for _, name, _ in entries(catalogue)}
    for folder, name, path, text in prose(catalogue):
        for link in LINK.finditer(text):
            if link[1] not in known:
                yield _finding(
                    catalogue,
                    (folder, name, path),
                    "dead-link",
                    f"[[{link[1]}]] names no entry",
                    "correct the id",
                )


def summaries_are_short(catalogue: Catalogue) -> Iterator[Finding]:
    """A summary has at most two sentences."""
    for name, cause in catalogue.causes.items():
        plain = CODE.sub("x", cause.summary)
        count = len(re.findall(r"[.!?](?=\s|$)", plain))
        if count > MAX_SENTENCES:
            yield _finding(
                catalogue,
                ("causes", name, ("summary",)),
                "long-summary",
                f"{count} sentences; at most {MAX_SENTENCES}",
                "say what happened to the reader; the rest is `cause`",
            )


def no_filler(catalogue: Catalogue) -> Iterator[Finding]:
    """Words that carry nothing are left out."""
    for folder, name, path, text in prose(catalogue):
        found = FILLER.search(CODE.sub("", text))
        if found:
            yield _finding(
                catalogue, (folder, name, path), "filler", f"{found[0]!r} carries nothing", "leave it out"
            )


def no_first_person(catalogue: Catalogue) -> Iterator[Finding]:
    """The guide speaks of the reader's program, never of its writers."""
    for folder, name, path, text in prose(catalogue):
        if "title" in path:
            continue
        found = FIRST_PERSON.search(CODE.sub("", text))
        if found:
            yield _finding(
                catalogue,
                (folder, name, path),
                "first-person",
                f"{found[0]!r} speaks of the writers",
                "name the function or the value",
            )


# Base forms that open an instruction; a sentence of the guide that starts with one claims nothing.
_VERBS = """
add allocate allow ask attach avoid broadcast build call cast change check choose close collect compare
compile compute configure construct convert copy create decorate define delete detach disable dispatch do
drop empty enable export fill find finish fix follow free gather get give go guard hide hold ignore
initialise install join keep launch leave let list load lock look lower make map mark materialise mend
merge move name offload open override pass patch pin place point put quantise read rebuild register
release reload remove rename repeat replace report reset restart restore return run save see send set
shard share skip split start stay step stop store subclass switch take tell test tie train turn uninstall
update upgrade use wait wrap write
"""
IMPERATIVES = frozenset(_VERBS.split())
CLAUSE = re.compile(r"(?:^|[,;:–]\s+(?:(?:so|and|or|but|then|first|instead|only)\s+)*)(\w+)")
SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?]\)))\s+(?=[A-Z`\"\[(])")


def sentences(text: str) -> list[str]:
    """Sentences of a prose; none ends inside a code span or a quotation."""
    line = " ".join(text.split())
    masked = CODE.sub(lambda m: m[0][0] + "x" * (len(m[0]) - 2) + m[0][-1], line)
    cuts = [(0, 0), *(found.span() for found in SENTENCE.finditer(masked)), (len(line), len(line))]
    return [line[end:start] for (_, end), (start, _) in itertools.pairwise(cuts)]


def instructs(sentence: str) -> bool:
    """Whether a clause opens with an imperative: "Drop the map", "If it fits, load it whole"."""
    plain = CODE.sub("x", sentence)
    found = (word for word in CLAUSE.findall(plain))
    return any(word.lower() in IMPERATIVES for word in found)


NO_INSTRUCTION = named("no-instruction", "the first sentence of a summary says what to do")
NOTHING_TO_DO = re.compile(
    r"\b(nothing is (broken|wrong)|nothing to (do|mend)|all is well|harmless)\b", re.IGNORECASE
)


def summaries_instruct(catalogue: Catalogue) -> Iterator[Finding]:
    """At eleven at night a person reads one sentence: it says what to do, or that nothing is wrong."""
    for name, cause in catalogue.causes.items():
        first = sentences(cause.summary)[0]
        if not instructs(first) and not NOTHING_TO_DO.search(first):
            yield _finding(
                catalogue,
                ("causes", name, ("summary",)),
                NO_INSTRUCTION,
                "the first sentence says nothing to do",
                "begin with what to do (`Drop the …`, `If it fits, load …`); why comes second",
            )


UNIVERSAL = named("universal", "a statement about all cases leads to what proves it")
_ONE = (
    r"(?:model|version|release|call|checkpoint|library|operator|operation|loader|optimi[sz]er|case|constructor|"
    r"device|class|quanti[sz]er|trainer|pipeline)"
)
_MANY = _ONE.replace("library", "librarie").replace("class", "classe") + "s"
EVERYTHING = re.compile(
    rf"\b(?:every|any)\s+(?:other\s+)?(?:[\w-]+\s+)?{_ONE}\b|\bany\s+module\b|"
    rf"\ball\s+(?:of\s+)?(?:the\s+|other\s+)?(?:[\w-]+\s+)?{_MANY}\b|\balways\b|\beverywhere\b|"
    r"(?<!that )(?<!which )\bnever\s+\w+s\b",
    re.IGNORECASE,
)


def universals_are_proved(catalogue: Catalogue) -> Iterator[Finding]:
    """ "Every model", "any version", "always", "never runs": more than a run shows, unless a link says which.

    Instructions ("Give every model its own folder") claim nothing and pass.
    """
    for folder, name, path, text in prose(catalogue):
        for sentence in sentences(text):
            found = EVERYTHING.search(CODE.sub("x", sentence))
            if found is None or LINK.search(sentence) or instructs(sentence):
                continue
            yield _finding(
                catalogue,
                (folder, name, path),
                UNIVERSAL,
                f"{found[0]!r} claims more than was run",
                "name the versions, models or functions that ran, or link the fact that proves it",
            )


SLOT = re.compile(r"(?<!\{)\{([a-z0-9_]+)\}(?!\})")
RAW_SLOT = named("raw-slot", "what readers are shown has no raw slots")
_VAGUE = "after any before cls first mine more op own rest second some text thing"
VAGUE = frozenset(_VAGUE.split())


def slots_are_words(catalogue: Catalogue) -> Iterator[Finding]:
    """Titles are what is printed, without slots; a slot of a wording is named by what stands there."""
    for folder, name, entry in entries(catalogue):
        title = str(getattr(entry, "title", ""))
        if found := SLOT.search(title if folder == "symptoms" else CODE.sub("x", title)):
            yield _finding(
                catalogue,
                (folder, name, ("title",)),
                RAW_SLOT,
                f"the title shows {found[0]!r}",
                "write what is printed, or the words around it",
            )
    for name, symptom in catalogue.symptoms.items():
        for wording, message in symptom.messages.items():
            vague = [slot for slot in SLOT.findall(message.text) if slot in VAGUE or len(slot) < 3]
            if vague:
                yield _finding(
                    catalogue,
                    ("symptoms", name, ("messages", wording)),
                    RAW_SLOT,
                    f"the slot {vague[0]!r} tells a reader nothing",
                    "name it by what stands there: `device`, `parameter`, `function`",
                )


PROSE_RULES = (
    summaries_instruct,
    universals_are_proved,
    slots_are_words,
    links_resolve,
    summaries_are_short,
    no_filler,
    no_first_person,
)
