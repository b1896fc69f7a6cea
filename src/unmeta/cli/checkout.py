"""What the commands of maintainers share: the checkout they work on, and packages that may be missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from unmeta.cli.door import UsageError

if TYPE_CHECKING:
    import argparse

    from unmeta.kb.load import Catalogue


def rooted(parser: argparse.ArgumentParser) -> None:
    """Add `--root`."""
    parser.add_argument("--root", type=Path, help="root of the checkout (default: found from here upwards)")


def root_of(arguments: argparse.Namespace) -> Path:
    """The root that was given, or the nearest folder upwards that holds a knowledge base.

    Raises UsageError where there is none.
    """
    given: Path | None = arguments.root
    if given is not None:
        return given
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "kb" / "causes").is_dir():
            return folder
    raise UsageError("no knowledge base here: run in a checkout, or give --root DIR")


@contextmanager
def needing(group: str) -> Iterator[None]:
    """Around imports: a package that is missing is named with the group of pyproject.toml that has it."""
    try:
        yield
    except ModuleNotFoundError as error:
        remedy = f"`nox -s dev` installs it, or, with pip 25.1, `pip install --group {group}`"
        raise UsageError(f"{error.name} is not installed: {remedy}") from error


def load_catalogue(root: Path) -> Catalogue:
    """The knowledge base below `root`. Raises UsageError with all findings where it cannot be read."""
    with needing("kb"):
        from unmeta.kb.load import CatalogueError, load
    try:
        return load(root)
    except CatalogueError as error:
        raise UsageError(f"the knowledge base cannot be read\n{error}") from error


@contextmanager
def at_commit(root: Path, commit: str, *folders: str) -> Iterator[Path]:
    """Folders of this repository as they were at a commit, in a place of their own for as long as it is used.

    Folders that it did not have are left out. Raises UsageError where it is no commit, or has none of them.
    """
    import io
    import subprocess
    import tarfile
    import tempfile

    git = ["git", "-C", str(root)]
    listed = subprocess.run(
        [*git, "ls-tree", "-d", "--name-only", "--end-of-options", commit, *folders],
        capture_output=True,
        text=True,
        check=False,
    )
    there = listed.stdout.split()
    if listed.returncode or not there:
        why = listed.stderr.strip() or f"it has no {' or '.join(folders)}"
        raise UsageError(f"no commit to compare with: {commit!r} ({why})")
    done = subprocess.run([*git, "archive", "--format=tar", commit, *there], capture_output=True, check=False)
    if done.returncode:
        raise UsageError(f"git archive {commit} failed: {done.stderr.decode(errors='replace').strip()}")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)
