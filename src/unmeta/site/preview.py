"""One page by itself, rendered as the site renders it: for whoever is writing that entry."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unmeta.kb.load import Catalogue, load
from unmeta.site.links import Linker, targets
from unmeta.site.pages import Site
from unmeta.site.proof import judged
from unmeta.site.source import DOCS, Source
from unmeta.verify import ledger


def preview(root: Path, name: str, out: Path) -> Path:
    """Render the page of an entry, or of its former id, below `out`; returns the HTML file.

    Links to other pages lead nowhere. Raises KeyError where nothing is called `name`, CatalogueError where
    the knowledge base cannot be read, LedgerError where the runs cannot be.
    """
    catalogue = load(root)
    kind, entry = _entry(catalogue, name)
    runs = ledger.load(root)
    proof = judged(catalogue, runs)
    site = Site(Source(catalogue, runs), proof, Linker(catalogue, proof, targets(catalogue), []))
    text = site.render(f"{kind}.md.j2", f"e/{entry.id}.md", entry=entry)
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder)
        shutil.copytree(root / DOCS / "assets", docs / "assets")
        (docs / "e").mkdir()
        (docs / "e" / f"{entry.id}.md").write_text(text, encoding="utf-8")
        _build(root / "mkdocs.yml", docs, out, f"e/{entry.id}.md")
    return out / "e" / f"{entry.id}.html"


def _entry(catalogue: Catalogue, name: str) -> tuple[str, Any]:
    kinds: tuple[tuple[str, Mapping[str, Any]], ...] = (
        ("cause", catalogue.causes),
        ("symptom", catalogue.symptoms),
        ("fact", catalogue.facts),
    )
    for kind, entries in kinds:
        for entry in entries.values():
            if name == entry.id or name in entry.aliases:
                return kind, entry
    raise KeyError(name)


def _build(config: Path, docs: Path, out: Path, page: str) -> None:
    """Let MkDocs render one page with the site's theme and extensions, and without its plugins."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    logging.getLogger("mkdocs").setLevel(logging.ERROR)  # links to pages that are not there are meant
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    settings = load_config(
        str(config),
        docs_dir=str(docs),
        site_dir=str(out),
        nav=[{"Preview": page}],
        plugins=[],
        use_directory_urls=False,
        strict=False,
    )
    build(settings)
