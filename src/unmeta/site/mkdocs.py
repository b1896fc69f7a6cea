"""MkDocs adapter: puts the generated site into a MkDocs build.

Everything that matters is in `build.generate`; what is here exists because of MkDocs and mkdocs-jupyter.
"""

from __future__ import annotations

import hashlib
import logging
import os
import posixpath
import re
import shutil
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import mkdocs_jupyter.config
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.toc import TableOfContents

from unmeta.address import SITE
from unmeta.kb.load import CatalogueError
from unmeta.site import offline, safe
from unmeta.site.about import article, shortened
from unmeta.site.build import generate, origin
from unmeta.site.cards import Card, draw, icon
from unmeta.site.source import Source, read
from unmeta.site.text import lean
from unmeta.verify.ledger import LedgerError

log = logging.getLogger("mkdocs.plugins.unmeta")
WATCHED = ("kb", "snippets")
CACHE = Path(".cache") / "unmeta"
FIRST = re.compile(r"<p>(.*?)</p>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
RAW = re.compile(r'^<div class="um-(?:notebook|matrix)">', re.MULTILINE)
HEADING_ID = re.compile(r'(<h[1-6]) id="[^"]*"')
ANCHOR = re.compile(r'<a class="anchor-link"[^>]*>[^<]*</a>')
LINK = re.compile(r'href="(?!https?:)([^"#]+)(#[^"]*)?"')
WORKER = re.compile(r"assets/javascripts/workers/search\.[0-9a-f]+\.min\.js")
OWN_WORKER = "assets/javascripts/search-worker.js"
CONVERTER = Path(__file__).parent / "nbconvert"


class UnmetaPlugin(BasePlugin):  # type: ignore[misc]
    """Adds every generated file, and replaces hand-written pages by themselves with links resolved."""

    source: Source
    serving = False
    folders = True
    scripts: Collection[str] = ()
    drawings: Collection[str] = ()

    def __init__(self) -> None:
        super().__init__()
        self.raw: dict[str, str] = {}
        self.cards: dict[str, tuple[Path, Future[bytes] | None]] = {}
        self.painter: ProcessPoolExecutor | None = None
        self.twins: Mapping[str, str] = {}

    def on_startup(self, *, command: str, dirty: bool) -> None:  # noqa: ARG002 - the names are MkDocs'
        """Know whether pages are served live."""
        self.serving = command == "serve"
        if self.serving:
            log.info("Served live, pages have no content security policy: `mkdocs build` adds it")

    def on_config(self, config: Any) -> Any:
        """Watch the knowledge base, and have notebooks rendered by the lean templates."""
        root = _root(config)
        config.site_url = config.site_url or SITE
        config.watch += [path for name in WATCHED if (path := str(root / name)) not in config.watch]
        mkdocs_jupyter.config.settings.templates_dir = str(CONVERTER)
        jupyter = config.plugins["mkdocs-jupyter"].config
        # Its cache knows notebooks but not templates: a folder for each state of them.
        jupyter["cache_dir"] = str(root / CACHE / f"html-{_templates_digest()}")
        if "mathjax_version" in jupyter:
            # From 0.27 on every page would load MathJax from elsewhere, unless it is the old one.
            jupyter["mathjax_version"] = 2
        return config

    @event_priority(50)  # type: ignore[untyped-decorator]
    def on_files(self, files: Files, config: Any) -> Files:
        """Generate, before other plugins look at the files."""
        root = _root(config)
        self.folders = config.use_directory_urls  # by now the offline plugin has set it
        try:
            self.source = read(root, base=config.site_url)
        except (CatalogueError, LedgerError) as error:
            raise PluginError(f"the knowledge base cannot be read\n{error}") from error
        built = generate(self.source)
        self.twins = built.twins
        self.drawings = built.drawings
        for finding in built.findings:
            log.warning("%s", finding)
        for path, text in built.files.items():
            if old := files.get_file_from_path(path):
                files.remove(old)
            file = File.generated(config, path, content=text)
            file.edit_uri = origin(path, self.source)
            files.append(file)
        return files

    def on_page_markdown(self, markdown: str, page: Any, **_: Any) -> str:
        """Leave to Markdown what is Markdown: long scripts and printouts are HTML already."""
        page.meta["search"] = {"exclude": True}  # in the theme's index; the site has its own
        if page.file.src_uri.endswith(".ipynb"):
            page.meta |= {"hide": ["navigation", "toc"]}
            page.edit_url = None
            return markdown
        if page.file.src_uri.startswith("e/"):
            page.edit_url = None  # entries say so in words, at their end
        start = found.start() if (found := RAW.search(markdown)) else len(markdown)
        self.raw[page.file.src_uri] = markdown[start:]
        return markdown[:start]

    @event_priority(-100)  # type: ignore[untyped-decorator]
    def on_page_content(self, html: str, page: Any, files: Files, config: Any, **_: Any) -> str:
        """Let nothing through that runs; name a notebook after its entry, without what its plugin appends."""
        if page.file.src_uri.endswith(".ipynb"):
            page.toc = TableOfContents([])
            # Ids are made of headings, and a notebook may say one twice.
            cells = HEADING_ID.sub(r"\1", ANCHOR.sub("", html.partition("<style>")[0]))
            html = f'<div class="um-notebook">{cells}</div>'
            first = FIRST.search(html)
            page.meta.setdefault("description", shortened(TAG.sub("", first[1])) if first else "")
        html = lean(_resolved(html + self.raw.pop(page.file.src_uri, ""), page, files))
        _clean_titles(page.toc.items)
        page.title = safe.attribute(page.title or "")
        for name in ("title", "description"):
            if isinstance(text := page.meta.get(name), str):
                page.meta[name] = safe.attribute(text)
        self._describe(page, files, config)
        if not page.is_homepage:
            page.meta.setdefault("title", page.title)  # of any other title the theme undoes the escaping
        return safe.content(html, self.drawings)

    def _describe(self, page: Any, files: Files, config: Any) -> None:
        """Where else a page stands, what is drawn beside a link to it, and what search engines read of it."""
        meta = page.meta
        if page.file.src_uri in self.twins:
            meta["twin"] = page.file.src_uri
        if meta.get("canonical"):
            original = files.get_file_from_path(meta["canonical"])
            if original is None:
                raise PluginError(f"{page.file.src_uri}: no page at {meta['canonical']}")
            page.canonical_url = config.site_url + original.url
        if meta.get("template") or meta.get("canonical"):
            return
        title = unescape(meta.get("title") or page.title or config.site_name)
        meta.setdefault("card", {"above": "The guide", "text": title, "printed": False})
        if page.is_homepage:
            meta["ld"] = {"@type": "WebSite", "name": config.site_name}
        else:
            meta.setdefault("ld", article(title, unescape(meta.get("description") or "")))
        meta["ld"] = {
            "@context": "https://schema.org",
            "url": page.canonical_url,
            "inLanguage": "en",
            **meta["ld"],
        }
        if not self.serving and config.use_directory_urls:
            meta["picture"] = f"cards/{page.file.src_uri.rpartition('.')[0].replace('/', '-')}.png"
            meta["ld"]["image"] = config.site_url + meta["picture"]
            self.cards[meta["picture"]] = self._drawn(Card(**meta["card"]), _root(config) / CACHE / "cards")

    def on_post_build(self, config: Any) -> None:
        """Write what stands beside pages: their Markdown, their cards, the worker that keeps a copy."""
        site = Path(config.site_dir)
        for path, text in self.twins.items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_text(text, encoding="utf-8", newline="\n")
        self._hang(Path(config.site_dir))
        if config.use_directory_urls:
            (site / "sw.js").write_text(offline.worker(site), encoding="utf-8")

    def _drawn(self, card: Card, cache: Path) -> tuple[Path, Future[bytes] | None]:
        """Where a card is kept, and where it is not there yet, its picture on the way: another process draws
        while this one builds.
        """
        kept = cache / f"{card.digest}.png"
        if kept.is_file():
            return kept, None
        self.painter = self.painter or ProcessPoolExecutor(max_workers=1)
        return kept, self.painter.submit(draw, card)

    def _hang(self, site: Path) -> None:
        """Put the cards beside the pages; those that are new are kept."""
        for path, (kept, drawn) in self.cards.items():
            if drawn:
                kept.parent.mkdir(parents=True, exist_ok=True)
                part = kept.with_suffix(f".{os.getpid()}")  # another build finds it whole or not at all
                part.write_bytes(drawn.result())
                part.replace(kept)
            target = site / path
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(kept, target)
        if self.cards:
            (site / "cards" / "icon.png").write_bytes(icon())
        self._rest()

    def on_build_error(self, **_: Any) -> None:
        """Leave no process behind."""
        self._rest()

    def _rest(self) -> None:
        if self.painter:
            self.painter.shutdown(cancel_futures=True)
        self.painter = None
        self.cards = {}

    def on_post_template(self, output: str, template_name: str, **_: Any) -> str:
        """Know the theme's own inline scripts from the page that has no content."""
        if template_name != "404.html":
            return output
        output = self._own_search(output)
        self.scripts = {safe.known(script) for script in safe.inline_scripts(output)}
        return self._guarded(output, template_name)

    @event_priority(-100)  # type: ignore[untyped-decorator]
    def on_post_page(self, output: str, page: Any, **_: Any) -> str:
        """Say which scripts may run."""
        return self._guarded(self._own_search(output), page.file.src_uri)

    def _own_search(self, output: str) -> str:
        """The theme takes any worker that speaks its protocol; its own starts with an index of megabytes."""
        return WORKER.sub(OWN_WORKER + ("" if self.folders else "?ending=.html"), output)

    def _guarded(self, output: str, name: str) -> str:
        if self.serving:
            return output  # live reload is a script of its own
        try:
            return safe.guarded(output, self.scripts)
        except safe.UnsafeError as error:
            raise PluginError(f"{name}: {error}") from error


def _resolved(html: str, page: Any, files: Files) -> str:
    """HTML whose links to source files lead to what is made of them, as MkDocs does it in Markdown."""

    def address(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link[1]))
        file = files.get_file_from_path(path)
        return f'href="{file.url_relative_to(page.file) if file else link[1]}{link[2] or ""}"'

    return LINK.sub(address, html)


def _clean_titles(items: Iterable[Any]) -> None:
    for item in items:
        item.title = safe.toc_title(item.title)
        _clean_titles(item.children)


def _root(config: Any) -> Path:
    return Path(config.config_file_path).parent


def _templates_digest() -> str:
    texts = [path.read_bytes() for path in sorted(CONVERTER.rglob("*.j2"))]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:12]
