"""`unmeta effect`: what your entries do to the answers of others."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from unmeta.cli.checkout import at_commit, load_catalogue, needing, root_of, rooted
from unmeta.cli.door import NO, OK, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from unmeta.kb.load import Catalogue
    from unmeta.verify.effect import Changed

SAYS = "Say which answers to public reports your entries change."
SEARCHED = ("kb/causes", "kb/symptoms", "kb/lookalikes.toml", "kb/reports.jsonl", "kb/runs", "snippets")
"""What answers depend on, besides the matcher itself."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "commit", nargs="?", help="what to compare with (default: where this branch left main)"
    )
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the effect; 1 where an answer became wrong. Raises UsageError."""
    root = root_of(arguments)
    base = arguments.commit or left_main(root)
    if base is None:
        raise UsageError("no branch main here to compare with: name a commit")
    with needing("verify"):
        from unmeta.verify.effect import told
    catalogue = load_catalogue(root)
    rows = effect(root, catalogue, base)
    for line in told(rows, len(catalogue.reports)):
        print(line)
    return NO if any(row.kind == "wrong" for row in rows) else OK


def left_main(root: Path) -> str | None:
    """The commit where this branch left main; None without git, or without a main."""
    for main in ("origin/main", "main"):
        done = subprocess.run(
            ["git", "-C", str(root), "merge-base", "HEAD", main], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return done.stdout.strip()
    return None


def searched_differs(root: Path, base: str) -> bool:
    """Whether anything that answers depend on differs from a commit, new files included."""
    git = ["git", "-C", str(root)]
    diff = subprocess.run([*git, "diff", "--quiet", base, "--", *SEARCHED], check=False)
    new = subprocess.run(
        [*git, "ls-files", "--others", "--exclude-standard", "--", *SEARCHED],
        capture_output=True,
        text=True,
        check=False,
    )
    return diff.returncode != 0 or bool(new.stdout.strip())


def effect(root: Path, catalogue: Catalogue, base: str) -> Sequence[Changed]:
    """The answers that differ between a commit and this checkout. Raises UsageError."""
    from unmeta.verify.effect import answers, changed, matcher

    with at_commit(root, base, "kb", "snippets", "programs") as before:
        old = matcher(load_catalogue(before), before)
    new = matcher(catalogue, root)
    return changed(catalogue.reports, answers(old, catalogue.reports), answers(new, catalogue.reports))
