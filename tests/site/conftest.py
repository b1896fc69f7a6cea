"""A tiny catalogue with made-up runs; the real site comes from `sitebuild`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sitebuild import built

from unmeta.kb.load import Catalogue, load
from unmeta.kb.runs import Event, Frame, Observation, Raised, Runs
from unmeta.site.source import Source

__all__ = ["built"]
GOOD = Path(__file__).parents[1] / "good"
TEXT = "Cannot copy out of meta tensor; no data!"


def observation(catalogue: Catalogue, key: str, **changes: object) -> Observation:
    """A run of a snippet as it stands, passed unless `changes` say otherwise."""
    run = Observation(catalogue.snippets[key].digest, "passed", True, date="2026-01-02T03:04:05Z")
    return replace(run, **changes)  # type: ignore[arg-type]


def raised(text: str = TEXT) -> Event:
    """A NotImplementedError out of torch."""
    frames = (
        Frame("broken.py", 9, "<module>", "module.to('cpu')", library=False),
        Frame("torch/nn/modules/module.py", 1000, "to", "return self._apply(convert)"),
    )
    chain = (Raised("NotImplementedError", text, frames),)
    return Event("exception", "NotImplementedError", text, chain=chain)


@pytest.fixture
def good() -> Catalogue:
    """The smallest catalogue that keeps every rule."""
    return load(GOOD)


@pytest.fixture
def source(good: Catalogue) -> Source:
    """That catalogue with runs on its reference stack: broken, fix and fact hold, the trap was never run."""
    stack = good.reference
    snippets = {
        "half-copied/broken.py": observation(
            good, "half-copied/broken.py", outcome="raised", goal_reached=False, events=(raised(),)
        ),
        "half-copied/fix-build-for-real.py": observation(good, "half-copied/fix-build-for-real.py"),
        "facts/copy-raises.py": observation(good, "facts/copy-raises.py"),
    }
    runs = {stack.id: Runs(stack.id, "cpu", stack.versions, snippets)}
    docs = {
        "index.md": "# Home\n\nSee [[half-copied]].\n\n<!-- unmeta: counts -->\n",
        "guide/index.md": "# Guide\n\n[[copy-raises|Copying raises]].\n\n![[copy-raises]]\n",
    }
    return Source(good, runs, docs, "{}", "https://example.org/guide/", "https://example.org/repository")
