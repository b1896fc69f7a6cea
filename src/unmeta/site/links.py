"""`[[entry-id]]` in prose becomes a link to the entry, with a badge that says how it is proved."""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from unmeta.kb.findings import Finding
from unmeta.kb.load import Catalogue
from unmeta.site.proof import Proof, Standing
from unmeta.site.text import CODE, bare, fence, outside_code, plain, prose

_TOKEN = re.compile(
    CODE.pattern + r"|(?<![\[!])\[\[(?P<id>[A-Za-z][\w-]*)(?:\|(?P<text>(?:`[^`\n]*`|[^\]\n`])+))?\]\](?!\])",
    CODE.flags,
)
EMBED = re.compile(r"^!\[\[(?P<id>[A-Za-z][\w-]*)\]\][ \t]*$", re.MULTILINE)

EntryKind = Literal["cause", "symptom", "fact"]


@dataclass(frozen=True)
class Target:
    """What a link leads to."""

    id: str
    kind: EntryKind
    title: str

    @property
    def path(self) -> str:
        """Path of the entry's page."""
        return f"e/{self.id}.md"


def each_link(text: str, change: Callable[[re.Match[str]], str]) -> str:
    """Replace every `[[id]]` outside code; the words of a link may hold code spans."""
    return _TOKEN.sub(lambda match: change(match) if match["id"] else match[0], text)


def targets(catalogue: Catalogue) -> dict[str, Target]:
    """Every entry by id and by former id."""
    known: dict[str, Target] = {}
    for cause in catalogue.causes.values():
        known |= dict.fromkeys([cause.id, *cause.aliases], Target(cause.id, "cause", cause.title))
    for symptom in catalogue.symptoms.values():
        known |= dict.fromkeys([symptom.id, *symptom.aliases], Target(symptom.id, "symptom", symptom.title))
    for fact in catalogue.facts.values():
        known |= dict.fromkeys([fact.id, *fact.aliases], Target(fact.id, "fact", fact.statement))
    return known


def relative(path: str, page: str) -> str:
    """How `page` refers to `path`; both are paths from the site's root."""
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


def badge(standing: Standing) -> str:
    """HTML of the small mark behind a link: a sign, a count, and the whole sentence for everyone."""
    sentence = html.escape(standing.sentence)
    label = f'role="img" aria-label="{sentence}" title="{sentence}"'
    return f'<span class="um-proof um-{standing.state}" {label}>{standing.sign}</span>'


@dataclass(frozen=True)
class Linker:
    """Resolves links for one catalogue; `findings` gathers the links that lead nowhere."""

    catalogue: Catalogue
    proof: Proof
    known: Mapping[str, Target]
    findings: list[Finding]

    def to(self, name: str, page: str, text: str | None = None, *, mark: bool = True) -> str:
        """Markdown link from `page` to the entry `name`, which must be known."""
        target = self.known[name]
        shown = plain(text if text is not None else target.title)
        link = f"[{shown}]({relative(target.path, page)})"
        if not mark or target.kind == "symptom":
            return link
        return f"{link}{badge(self.proof.standing(target.id))}"

    def entry_prose(self, text: str, page: str) -> str:
        """Prose of an entry as Markdown for `page`.

        Dead links are left as text: the catalogue's own check names their file and line.
        """

        def link(match: re.Match[str]) -> str:
            if match["id"] not in self.known:
                return match["text"] or match["id"]
            return self.to(match["id"], page, match["text"])

        return each_link(prose(text), link)

    def unlinked(self, text: str) -> str:
        """Prose with the words of its links in their place, for feeds and attributes."""
        return each_link(text, lambda match: match["text"] or self._title(match["id"]))

    def _title(self, name: str) -> str:
        return self.known[name].title if name in self.known else name

    def document(self, text: str, page: str, source: str) -> str:
        """A hand-written page: links resolved, and `![[id]]` alone on a line shows the entry's proof."""
        for match in (*_TOKEN.finditer(text), *EMBED.finditer(_blanked(text))):
            if match["id"] and match["id"] not in self.known:
                self._dead(text, match, source)

        def link(match: re.Match[str]) -> str:
            if match["id"] not in self.known:
                return match[0]
            return self.to(match["id"], page, match["text"])

        def embed(match: re.Match[str]) -> str:
            if match["id"] not in self.known:
                return match[0]
            return self.embedded(match["id"], page)

        return outside_code(each_link(text, link), lambda part: EMBED.sub(embed, part))

    def embedded(self, name: str, page: str) -> str:
        """A foldable block with an entry's statement and the script that proves it."""
        target = self.known[name]
        standing = self.proof.standing(target.id)
        link = self.to(name, page, "Read the whole entry", mark=False)
        key = f"facts/{target.id}.py" if target.kind == "fact" else f"{target.id}/broken.py"
        snippet = self.catalogue.snippets.get(key)
        body = f"{fence(snippet.text, 'python')}\n\n" if snippet else ""
        body += f"{standing.sentence[:1].upper()}{standing.sentence[1:]}. {link}"
        title = bare(target.title).replace('"', "&quot;").replace("<", "&lt;")
        block = f'??? um-{standing.state} "{title}"\n\n{body}'
        head, _, rest = block.partition("\n\n")
        return head + "\n\n" + "\n".join(f"    {line}" if line else "" for line in rest.splitlines())

    def _dead(self, text: str, match: re.Match[str], source: str) -> None:
        line = text.count("\n", 0, match.start()) + 1
        message = f"[[{match['id']}]] names no entry"
        self.findings.append(Finding(source, line, "dead-link", message, "correct the id"))


def _blanked(text: str) -> str:
    """The text with code blanked out, so that places stay where they are."""
    return CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
