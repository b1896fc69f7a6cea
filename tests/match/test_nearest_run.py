"""Which run is nearest to a reader's versions."""

from __future__ import annotations

import pytest

from unmeta.match.result import ran

STACKS = {name: {"transformers": name} for name in ("4.57.6", "5.0.0", "5.24.0")}
FIX = {"ran": dict.fromkeys(STACKS, "2026-12-01")}


@pytest.mark.parametrize(
    ("yours", "near"),
    [("4.50", "4.57.6"), ("5.1", "5.0.0"), ("5.30", "5.24.0"), ("6.0", "5.24.0"), ("9.9", "5.24.0")],
)
def test_a_later_release_is_nearest_to_the_last_that_ran(yours: str, near: str) -> None:
    said = f"Yours: transformers {yours}. Nearest run: ✓ transformers {near} (2026-12-01)."
    assert ran(FIX, STACKS, {"transformers": yours}) == said


def test_a_version_agrees_as_far_as_it_is_stated() -> None:
    said = "✓ Ran on your versions: transformers 4.57.6 (2026-12-01)."
    assert ran(FIX, STACKS, {"transformers": "4.57"}) == said
