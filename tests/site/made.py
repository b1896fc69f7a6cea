"""Made-up runs for the tiny catalogue."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from unmeta.kb.load import Catalogue
from unmeta.kb.runs import Event, Frame, Observation, Raised

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
