"""One bare sandbox for all tests of the room, and a library that snippets may call."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from unmeta.kb.model import Needs
from unmeta.kb.runs import Observation
from unmeta.kb.snippets import Snippet
from unmeta.verify.sandbox import Limits, Sandbox

LIBRARY = """
import logging
import warnings

logger = logging.getLogger("fakelib.deep")
once = set()


def fail(text="no data!"):
    raise NotImplementedError(text)


def warn(text="nothing was copied", **more):
    warnings.warn(text, UserWarning, **more)


def log(text="weights are missing"):
    logger.warning(text)


def wrap():
    try:
        fail()
    except NotImplementedError as error:
        raise RuntimeError("could not load") from error
"""


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module `fakelib`, as `sys.path` would hold a library."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "fakelib.py").write_text(LIBRARY, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def search_path() -> Callable[..., str]:
    """PYTHONPATH with some folders more."""

    def joined(*folders: Path) -> str:
        return os.pathsep.join([*map(str, folders), *filter(None, [os.environ.get("PYTHONPATH")])])

    return joined


@pytest.fixture(scope="session")
def sandbox(library: Path, search_path: Callable[..., str]) -> Iterator[Sandbox]:
    """A fork server without preloaded libraries that knows `fakelib`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UNMETA_BARE", "1")
        patch.setenv("PYTHONPATH", search_path(library))
        with Sandbox(limits=Limits(seconds=30)) as made:
            yield made


@pytest.fixture
def run(sandbox: Sandbox) -> Callable[..., Observation]:
    """Run the text of a script; `processes` makes it a group."""

    def one(text: str, processes: int | None = None) -> Observation:
        return sandbox.run(Snippet("case/broken.py", text), Needs(processes=processes))

    return one


@pytest.fixture
def limits(sandbox: Sandbox) -> Iterator[Callable[..., None]]:
    """Change the limits for one test."""
    before = sandbox.limits

    def change(**more: float) -> None:
        sandbox.limits = Limits(**{"seconds": 30, **more})

    yield change
    sandbox.limits = before


@pytest.fixture(scope="session")
def tiny() -> dict[str, str]:
    """Files of a catalogue in which everything holds, by path."""
    folder = Path(__file__).parent / "tiny"
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
