"""A tiny catalogue with made-up runs; the real site comes from `sitebuild`."""

from __future__ import annotations

import pytest
from made import GOOD, observation, raised
from sitebuild import built

from unmeta.kb.load import Catalogue, load
from unmeta.kb.runs import Runs
from unmeta.site.source import Source

__all__ = ["built"]


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
