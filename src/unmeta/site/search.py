"""The index of the header's search: what pages say, and word for word the messages that they are about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from unmeta.kb.model import Cause, Fact, Symptom
from unmeta.site.pages import Site
from unmeta.site.text import CODE, bare
from unmeta.site.words import FIELDS

FILE = "assets/unmeta-search.js"
LISTS = {
    "causes": "Causes, by library",
    "messages": "Messages, word for word",
    "operations": "What each operation does on meta",
    "facts": "Facts about the meta device",
    "stacks": "Stacks: the versions that everything is run on",
    "status": "Status of proof",
    "notebooks/": "Runs and notebooks, by library",
}
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HEADING = re.compile(r"^#{1,3} +(?P<title>.+?)(?: *\{ *(?:#(?P<id>[\w-]+))?[^}]*\})? *$", re.MULTILINE)
_LINK = re.compile(r"!?\[\[(?:[\w-]+\|)?([^\]]+)\]\]|!?\[([^\]]*)\]\([^)]*\)(?:\{[^}]*\})?")
_MARKS = re.compile(r"<[^>]+>|^ *(?:!!!|\?\?\?\+?|```+|~~~+).*$|^#+ |^ *[-*+] ", re.MULTILINE)
_HEAD = re.compile(r"^ *\|.*\n *\|[-:| ]+\| *$", re.MULTILINE)  # names of columns; a row stands without them
_ROW = re.compile(r"^ *\|(.*)\| *$", re.MULTILINE)
_CELL = re.compile(r" *(?<!\\)\| *")
_SLOT = re.compile(r"(?<!\{)\{[a-z0-9_]*\}")


@dataclass(frozen=True)
class Document:
    """A page or a section: `place` is its address without the ending, `messages` are their literal parts."""

    place: str
    title: str
    text: str
    messages: list[list[str]] = field(default_factory=list)

    def packed(self) -> list[Any]:
        """As the worker reads it."""
        found: list[Any] = [self.place, self.title, self.text]
        return [*found, self.messages] if self.messages else found


def search_script(site: Site) -> str:
    """The index as a script, which a worker loads over http and a frame from a disk.

    Messages come in the order in which people meet them, so that of several that hold a query the most
    common is shown first.
    """
    found = [document.packed() for document in documents(site)]
    data = json.dumps(found, ensure_ascii=True, separators=(",", ":")).replace("</", "<\\/")
    return f"globalThis.UNMETA_SEARCH = {data};\n"


def documents(site: Site) -> Iterator[Document]:
    """Everything that can be searched for."""
    catalogue = site.catalogue
    silent = [item for item in catalogue.symptoms.values() if item not in site.common_symptoms]
    yield from (_symptom(site, symptom) for symptom in [*site.common_symptoms, *silent])
    yield from (_cause(site, cause) for cause in catalogue.causes.values())
    yield from (_fact(site, fact) for fact in catalogue.facts.values())
    yield from (Document(place, title, "") for place, title in LISTS.items())
    yield from (Document(f"areas/{area}", f"{area}: causes and facts", said) for area, said in FIELDS.items())
    for path, text in site.source.docs.items():
        yield from _page(site, path, text)


def literals(template: str) -> list[str]:
    """A message's own words between its slots."""
    parts = (part.replace("{{", "{").replace("}}", "}") for part in _SLOT.split(template))
    return [part for part in parts if part.strip()]


def _symptom(site: Site, symptom: Symptom) -> Document:
    templates = [wording.text for wording in symptom.messages.values()]
    printed = [site.wording(symptom, name) for name in symptom.messages]
    said = [symptom.means, symptom.looks_like, symptom.note, *printed]
    messages = [literals(template) for template in templates] + [[line] for line in printed]
    return _document(site, symptom.id, symptom.title, said, list({tuple(m): m for m in messages}.values()))


def _cause(site: Site, cause: Cause) -> Document:
    said: list[str | None] = [cause.summary, cause.cause, *(face.title for face in cause.faces)]
    for ways in (cause.fixes, cause.traps):
        said += [part for way in ways for part in (way.title, way.why)]
    return _document(site, cause.id, cause.title, [*said, *site.asks(cause)])


def _fact(site: Site, fact: Fact) -> Document:
    return _document(site, fact.id, fact.statement, [fact.says, *(row.call for row in fact.operations)])


def _document(
    site: Site, name: str, title: str, said: list[str | None], messages: list[list[str]] | None = None
) -> Document:
    text = " ".join(_plain(site.linker.unlinked(part)) for part in said if part)
    return Document(f"e/{name}", bare(title), text, messages or [])


def _page(site: Site, path: str, text: str) -> Iterator[Document]:
    """A hand-written page, and each section that has an id of its own."""
    place = path.removesuffix(".md").removesuffix("index")
    text = _FRONT.sub("", text)
    blanked = CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]) if match["fence"] else match[0], text)
    heads = [head for head in _HEADING.finditer(blanked) if head["id"] or head.start() == blanked.find("# ")]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):  # a page may have no heading
        anchor = f"#{head['id']}" if head["id"] and head is not heads[0] else ""
        body = _plain(site.linker.unlinked(text[head.end() : end]))
        yield Document(place + anchor, bare(_plain(head["title"])), body)


def _sentence(cells: Iterable[str]) -> str:
    row = " · ".join(cells)
    return row if row.endswith((".", "!", "?")) else f"{row}."


def _plain(markdown: str) -> str:
    """Markdown as words."""
    text = _LINK.sub(lambda match: match[1] or match[2] or "", markdown)
    text = _ROW.sub(lambda row: _sentence(filter(None, _CELL.split(row[1].strip()))), _HEAD.sub("", text))
    text = re.sub(r"[`*]|(?<=\\)\|", "", _MARKS.sub(" ", text)).replace("\\", "")
    return " ".join(text.split())
