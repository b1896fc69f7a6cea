"""The whole site as text: `generate` is pure, `write` puts its result on disk."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unmeta.kb.findings import Finding
from unmeta.site import pictures
from unmeta.site.feeds import feeds
from unmeta.site.links import Linker, targets
from unmeta.site.notebooks import notebook
from unmeta.site.pages import Site, entry_pages, list_pages, run_pages
from unmeta.site.proof import judged
from unmeta.site.ranked import by_reports
from unmeta.site.source import DOCS, Source, read, read_assets
from unmeta.site.twins import twins, whole
from unmeta.terminal import clean
from unmeta.verify.ledger import LedgerError

MARKER = re.compile(r"^<!-- unmeta: (?P<name>[\w-]+)(?: (?P<entry>[\w-]+))? -->[ \t]*$", re.MULTILINE)
READ = (".md", ".xml", ".txt")  # by people and parsers: nothing in them steers a terminal or breaks XML
PICTURE = "picture"
FRAGMENTS = ("answers", "common-messages", "counts", "finding", "paste-box", "weight")


class SiteError(ValueError):
    """Pages refer to what is not there; `findings` say where."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = sorted(set(findings))
        super().__init__("\n".join(map(str, self.findings)))


@dataclass(frozen=True)
class Built:
    """Text by path, what is wrong with hand-written pages, pages as plain Markdown, and drawings in them."""

    files: Mapping[str, str]
    findings: tuple[Finding, ...]
    twins: Mapping[str, str] = field(default_factory=dict)
    drawings: tuple[str, ...] = ()


def generate(source: Source) -> Built:
    """Every generated file, and every hand-written page with its links resolved, by path.

    Deterministic and without any I/O but the reading of templates. Dead links of hand-written pages
    are returned as findings; those of entries belong to the catalogue's own check.
    """
    proof = judged(source.catalogue, source.runs)
    findings: list[Finding] = []
    site = Site(source, proof, Linker(source.catalogue, proof, targets(source.catalogue), findings))
    lists = list_pages(site)
    files = {**entry_pages(site), **run_pages(site), **lists, **feeds(site), **_downloads(site)}
    for path, text in source.docs.items():
        shown = f"{DOCS}/{path}"
        if path in files:
            findings.append(
                Finding(shown, 1, "id-taken", f"{path} is a generated page", "choose another name")
            )
            continue
        files[path] = _document(site, path, text, shown, findings)
    plain = twins(site, {path: files[path] for path in (*lists, *source.docs) if path in files})
    files["llms-full.txt"] = whole(site, plain)
    readable = {path: clean(text) if path.endswith(READ) else text for path, text in sorted(files.items())}
    drawings = tuple(pictures.figure(name, proof) for name in pictures.names())
    told = {path: clean(text) for path, text in plain.items()}
    return Built(readable, tuple(sorted(set(findings))), told, drawings)


def _document(site: Site, path: str, text: str, shown: str, findings: list[Finding]) -> str:
    def fragment(match: re.Match[str]) -> str:
        name = match["name"]
        if name == PICTURE and match["entry"] in pictures.names():
            return pictures.figure(match["entry"], site.proof)
        if name not in FRAGMENTS:
            line = text.count("\n", 0, match.start()) + 1
            remedy = f"known: {', '.join([*FRAGMENTS, *(f'{PICTURE} {one}' for one in pictures.names())])}"
            findings.append(Finding(shown, line, "dead-link", f"nothing is called {name!r}", remedy))
            return match[0]
        return site.render(f"{name}.md.j2", path, entry=match["entry"]).strip()

    counts = Counter(report.cause for report in site.catalogue.reports)
    return MARKER.sub(
        fragment, site.linker.document(by_reports(text, counts, site.catalogue.causes), path, shown)
    )


def _downloads(site: Site) -> dict[str, str]:
    files = {f"files/{key}": snippet.text for key, snippet in site.catalogue.snippets.items()}
    for name, cause in site.catalogue.causes.items():
        text = notebook(site, cause)
        files[f"files/{name}.ipynb"] = text
        for alias in cause.aliases:
            files[f"files/{alias}.ipynb"] = text
            own = [key for key in site.catalogue.snippets if key.startswith(f"{name}/")]
            files |= {f"files/{alias}/{key.partition('/')[2]}": files[f"files/{key}"] for key in own}
    for name, fact in site.catalogue.facts.items():
        files |= {f"files/facts/{alias}.py": files[f"files/facts/{name}.py"] for alias in fact.aliases}
    return files


def origin(path: str, source: Source) -> str | None:
    """The file that a person edits to change a page, from the root; None for what is derived."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    if folder == "e":
        for kind in ("causes", "symptoms", "facts"):
            if stem in getattr(source.catalogue, kind):
                return f"kb/{kind}/{stem}.yaml"
        return None
    if path == "index.md":
        return None  # the home page is for pasting; a pencil beside the box would be in its way
    return f"{DOCS}/{path}" if path in source.docs else None


def write(root: Path, out: Path) -> int:
    """Write the site's source below `out`, for any engine that renders Markdown; returns the number of files.

    What stands in `docs/` beside pages (the style sheet, scripts, pictures) is copied; the theme of
    MkDocs is left out. Raises SiteError (a ValueError) where hand-written pages refer to what is not
    there, ValueError for a bad runs file, CatalogueError where the knowledge base cannot be read.
    """
    try:
        source = read(root)
    except LedgerError as error:
        raise ValueError(str(error)) from error
    built = generate(source)
    if built.findings:
        raise SiteError(built.findings)
    for path, text in built.files.items():
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    copied = [asset for asset in read_assets(root) if asset.as_posix() not in built.files]
    for asset in copied:
        (out / asset).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / DOCS / asset, out / asset)
    return len(built.files) + len(copied)
