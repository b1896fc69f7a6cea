"""The page of figures and what cause pages quote are what the benchmark kept."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from unmeta.kb.load import load
from unmeta.kb.snippets import broken_key


def test_the_page_is_made_of_the_figures(root: Path) -> None:
    spec = importlib.util.spec_from_file_location("live_page", root / "benchmarks" / "live" / "page.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    figures = json.loads(made.RESULTS.read_text(encoding="utf-8"))
    assert made.PAGE.read_text(encoding="utf-8") == made.page(figures)


def test_what_doctor_says_is_of_the_scripts_as_they_are(root: Path) -> None:
    catalogue = load(root)
    said = json.loads((root / "benchmarks" / "live" / "doctor.json").read_text(encoding="utf-8"))
    current = {cause: catalogue.snippets[broken_key(cause)].digest for cause in said}
    stale = [cause for cause, item in said.items() if item["digest"] != current[cause]]
    assert stale == [], "nox -s live takes them again"
    assert all("/tmp/" not in item["says"] for item in said.values())
