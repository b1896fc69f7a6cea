"""Addresses of entries."""

from __future__ import annotations

SITE = "https://unmeta.github.io/unmeta/"


def entry_url(cause: str) -> str:
    """Address of an entry's page."""
    return f"{SITE}e/{cause}/"
