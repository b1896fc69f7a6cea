"""What the site is made from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unmeta.address import SITE
from unmeta.kb.load import Catalogue, load
from unmeta.kb.runs import Runs
from unmeta.match.compile import compile_index, read_weights, to_json
from unmeta.verify import ledger

REPO = "https://github.com/unmeta/unmeta"
DOCS, THEME = "docs", "theme"


@dataclass(frozen=True)
class Source:
    """Everything that pages are generated from; `docs` holds hand-written Markdown by path.

    `index` is the matcher's index as JSON, `base` the site's permanent address with a final slash,
    `repo` the address of the repository without one, `finding` and `weight` what `benchmarks/finding` and
    `benchmarks/site` measured, `answers` what `benchmarks/site/answers.py` did, `doctor` what
    `unmeta.doctor()` says where the script of a cause fails, as `benchmarks/live` recorded it.
    """

    catalogue: Catalogue
    runs: Mapping[str, Runs] = field(default_factory=dict)
    docs: Mapping[str, str] = field(default_factory=dict)
    index: str = "{}"
    base: str = SITE
    repo: str = REPO
    finding: Mapping[str, Any] = field(default_factory=dict)
    weight: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    doctor: Mapping[str, Any] = field(default_factory=dict)


def _hand_written(root: Path) -> list[Path]:
    """Every file below `docs/` but the theme, sorted, relative to it."""
    docs = root / DOCS
    paths = (path.relative_to(docs) for path in sorted(docs.rglob("*")) if path.is_file())
    return [path for path in paths if path.parts[0] != THEME and not path.name.startswith(".")]


def read_docs(root: Path) -> dict[str, str]:
    """Hand-written pages by their path below `docs/`."""
    pages = [path for path in _hand_written(root) if path.suffix == ".md"]
    return {path.as_posix(): (root / DOCS / path).read_text(encoding="utf-8") for path in pages}


def read_assets(root: Path) -> list[Path]:
    """What else stands below `docs/`: style sheets, scripts, pictures, notebooks."""
    return [path for path in _hand_written(root) if path.suffix != ".md"]


def read_figures(root: Path, benchmark: str) -> dict[str, Any]:
    """Figures of a benchmark; empty where they were never taken. Raises ValueError for bad JSON."""
    path = root / "benchmarks" / benchmark / "results.json"
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return figures


def read_doctor(root: Path) -> dict[str, Any]:
    """What doctor says, by cause: `digest` of the script and `says`. Raises ValueError for bad JSON."""
    path = root / "benchmarks" / "live" / "doctor.json"
    said: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return said


def read_answers(root: Path) -> dict[str, Any]:
    """Rows of `benchmarks/site/answers.py` by browser. Raises ValueError for bad JSON."""
    path = root / "benchmarks" / "site" / "answers.json"
    rows: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return rows


def read(root: Path, *, base: str | None = None, repo: str | None = None) -> Source:
    """Read a project from disk.

    `base` and `repo` default to the environment's SITE_URL and REPO_URL, then to the project's own.
    Raises CatalogueError where the knowledge base cannot be read, LedgerError for a bad runs file.
    """
    catalogue = load(root)
    runs = ledger.load(root)
    base = base or os.environ.get("SITE_URL") or SITE
    repo = repo or os.environ.get("REPO_URL") or REPO
    index = to_json(compile_index(catalogue, weights=read_weights(root)))
    return Source(
        catalogue,
        runs,
        read_docs(root),
        index,
        base.rstrip("/") + "/",
        repo.rstrip("/"),
        read_figures(root, "finding"),
        read_figures(root, "site"),
        read_answers(root),
        read_doctor(root),
    )
