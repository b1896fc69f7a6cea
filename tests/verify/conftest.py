"""One bare sandbox for all tests of the room, and a library that snippets may call."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Needs
from unmeta.kb.runs import Event, Observation
from unmeta.kb.snippets import Snippet
from unmeta.verify.judge import Verdict, judge
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
        patch.setenv("PYTHONPATH", search_path(library))
        with Sandbox(preload=(), limits=Limits(seconds=30)) as made:
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


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mapping[str, str]], Catalogue]:
    """Load a catalogue from files by path; equal files are read once a session."""
    known: dict[tuple[tuple[str, str], ...], Catalogue] = {}

    def one(files: Mapping[str, str]) -> Catalogue:
        key = tuple(sorted(files.items()))
        if key not in known:
            folder = tmp_path_factory.mktemp("catalogue")
            for name, text in files.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            known[key] = load(folder)
        return known[key]

    return one


@pytest.fixture
def tiny_catalogue(loaded: Callable[[Mapping[str, str]], Catalogue], tiny: dict[str, str]) -> Catalogue:
    return loaded(tiny)


@pytest.fixture
def verdict(loaded: Callable[[Mapping[str, str]], Catalogue], tiny: dict[str, str]) -> Callable[..., Verdict]:
    """Judge an observation of one snippet of the tiny catalogue, with some files changed."""

    def one(
        name: str,
        outcome: str,
        *events: Event,
        goal: bool | None = None,
        files: Mapping[str, str] | None = None,
        versions: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Verdict:
        catalogue = loaded({**tiny, **(files or {})})
        key = f"facts/{name}.py" if name == "one-is-one" else f"copy-lost/{name}.py"
        case = catalogue.case(key)
        assert case is not None
        reached = outcome in ("passed", "missed") if goal is None else goal
        digest = catalogue.snippets[key].digest
        seen = Observation(digest, outcome, reached, events, **more)  # type: ignore[arg-type]
        return judge(case, seen, catalogue, versions or {"python": "3.11.7"})

    return one
