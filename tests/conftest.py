"""Shared by all tests: the real catalogue, and tiny ones made from text."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from unmeta.kb.load import Catalogue, load

pytest_plugins = ["pytester"]

# Time is measured in benchmarks/. CI tries the same examples each time; at the keyboard they vary.
settings.register_profile("untimed", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("untimed")
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """Root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    """The catalogue as committed."""
    return load(ROOT)


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Write files by relative path into an empty folder and return it."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write
