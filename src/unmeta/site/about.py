"""What a page tells machines about itself: structured data for search engines, and the text of its card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from unmeta.kb.model import Cause, Fact, Kind, Symptom
from unmeta.site.cards import Card
from unmeta.site.links import Linker
from unmeta.site.proof import Proof
from unmeta.site.text import bare
from unmeta.site.words import KINDS, counted

DESCRIPTION = 220  # characters; search engines show some 160, and no page is better for more
SHORT = 60  # a description below it says nothing of its own
ANSWERS = 3  # causes in the answer of a message


class Asked(Protocol):
    """What of a site is asked here; `unmeta.site.pages` has it all."""

    linker: Linker
    proof: Proof

    @property
    def causes_of(self) -> Mapping[str, list[Cause]]:
        """Causes by symptom, the likeliest first."""

    def wording(self, symptom: Symptom, name: str) -> str:
        """A wording as it is printed; empty for a silent symptom."""


def shortened(text: str, length: int = DESCRIPTION) -> str:
    """A description at the length that is shown somewhere: whole sentences, or whole words."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    end = cut.rfind(". ")
    return cut[: end + 1] if end > length // 2 else cut[: cut.rfind(" ")].rstrip(" ,;:") + " …"


def description(site: Asked, entry: Cause | Symptom | Fact) -> str:
    """What the page of an entry says in a sentence or two, as plain text and like no other page's."""
    if isinstance(entry, Cause):
        said = site.linker.unlinked(entry.summary)
    elif isinstance(entry, Fact):
        said = site.linker.unlinked(entry.says)
        if len(said) < SHORT:
            said = f"{entry.statement}. {said}"
    else:
        said = _meaning(site, entry) or f"{entry.title} {_answer(site, entry)}"
    return shortened(bare(said))


def card(site: Asked, entry: Cause | Symptom | Fact) -> Card:
    """What is drawn beside a link to an entry."""
    if isinstance(entry, Cause):
        return Card(f"Cause in {entry.area}", bare(entry.title))
    if isinstance(entry, Fact):
        return Card(f"Fact about {entry.area}", bare(entry.statement))
    count = counted(len(site.causes_of[entry.id]), "cause", "causes")
    kind = "Nothing is printed" if entry.kind is Kind.SILENT else KINDS[entry.kind].capitalize()
    above = " · ".join([kind, *entry.type[:1], count])
    printed = site.wording(entry, next(iter(entry.messages), ""))
    for name in entry.type:
        printed = printed.removeprefix(f"{name}: ")
    return Card(above, printed or bare(entry.title), bool(printed))


def structured(site: Asked, entry: Cause | Symptom | Fact) -> dict[str, Any]:
    """Structured data of an entry in the words of schema.org: a message is a question, the rest articles."""
    if isinstance(entry, Symptom) and site.causes_of[entry.id]:
        answer = " ".join(filter(None, [bare(_meaning(site, entry)), _answer(site, entry)]))
        question = {
            "@type": "Question",
            "name": bare(entry.title),
            "acceptedAnswer": {"@type": "Answer", "text": answer},
        }
        return {"@type": "FAQPage", "mainEntity": [question]}
    title = entry.statement if isinstance(entry, Fact) else entry.title
    day = "" if isinstance(entry, Symptom) else site.proof.latest(entry.id)
    return article(bare(title), description(site, entry)) | ({"dateModified": day} if day else {})


def article(title: str, said: str) -> dict[str, Any]:
    """Structured data of a page that is no question."""
    return {"@type": "TechArticle", "headline": title, "description": said}


def _meaning(site: Asked, symptom: Symptom) -> str:
    return site.linker.unlinked(symptom.means or symptom.looks_like or "")


def _answer(site: Asked, symptom: Symptom) -> str:
    """The likeliest causes of a message with what to do, as plain text."""
    causes = site.causes_of[symptom.id]
    if not causes:
        return f"What “{bare(symptom.title)}” says, and on which versions it is printed."
    head = "" if len(causes) == 1 else f"{len(causes)} causes, the likeliest first. "
    told = []
    for cause in causes[:ANSWERS]:
        fix = f": {bare(cause.fixes[0].title)}" if cause.fixes else ""
        told.append(f"{bare(cause.title)}{fix}.")
    return head + " ".join(told)
