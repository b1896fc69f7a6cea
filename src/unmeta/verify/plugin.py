"""The pytest plugin: every file below a catalogue's `snippets/` is a test.

`pytest snippets/<cause>` runs each snippet in the sandbox, judges it against its entry and prints
claim and observation side by side where they differ. Heavy imports wait until a snippet is met, for
this plugin is loaded by every run of the test suite.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from unmeta.verify.mismatch import MismatchError

if TYPE_CHECKING:
    from unmeta.kb.evidence import Reason
    from unmeta.kb.load import Catalogue
    from unmeta.kb.runs import Observation, Runs
    from unmeta.kb.snippets import Case
    from unmeta.verify.isolation import Layers
    from unmeta.verify.sandbox import Sandbox

_RECORD = "unmeta_record"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of snippet runs."""
    group = parser.getgroup("unmeta", "snippets")
    group.addoption("--record", action="store_true", help="write what happened to kb/runs")
    group.addoption(
        "--record-to", type=Path, metavar="DIR", help="with --record: below DIR, for `unmeta runs merge DIR`"
    )
    group.addoption("--device", choices=("cpu", "cuda"), default="cpu", help="run on the CPU or a GPU")
    group.addoption("--stack", metavar="ID", help="the stack of kb/stacks.toml that this machine must be")
    group.addoption(
        "--isolate",
        choices=("require", "auto", "off"),
        default="auto",
        help="walls around snippets: all of them or an error, those this machine has, or none",
    )
    group.addoption("--stale", action="store_true", help="only what has no fresh run on this stack")
    group.addoption(
        "--repeat", type=int, default=1, metavar="N", help="run each snippet N times; every run must hold"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep the state of this session; read the catalogue at once where snippets are asked for.

    Raises pytest.UsageError where the catalogue cannot be read, or nothing could be recorded.
    """
    config.stash[_KEY] = session = _Session(config)
    config.pluginmanager.register(session, "unmeta-session")
    for root in dict.fromkeys((config.rootpath, config.invocation_params.dir)):
        folder = root / "snippets"
        if (root / "kb").is_dir() and folder.is_dir():
            asked = [(config.invocation_params.dir / arg.partition("::")[0]).resolve() for arg in config.args]
            if any(path == folder or folder in path.parents or path in folder.parents for path in asked):
                session.catalogue(root)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what keeps the scripts in, where any are asked for, and what does not."""
    from unmeta.verify import isolation

    session = config.stash[_KEY]
    if not session.runs_scripts:
        return []
    lines = [f"isolation: {', '.join(isolation.named(session.walls)) or 'none'}"]
    if open_ := isolation.gaps(session.walls):
        lines.append(f"not stopped: {'; '.join(open_)}")
    return lines


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a snippet that is met in a folder."""
    if parent.session.isinitpath(file_path):
        # Python's own plugin takes a file that is named outright and asks for a module, see below.
        return None
    return _collected(file_path, parent)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a snippet that is named on the command line, which pytest would import as a module."""
    return _collected(module_path, parent)


def _collected(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    root = catalogue_root(path)
    config = parent.config
    # Catalogues inside a project, such as those of its tests, are not the project's own.
    if root not in (config.rootpath, config.invocation_params.dir) or path.name == "conftest.py":
        return None
    return SnippetFile.from_parent(parent, path=path, root=root)


def catalogue_root(path: Path) -> Path | None:
    """The folder that holds `kb/` and the `snippets/` in which a Python file lies; None elsewhere."""
    if path.suffix != ".py":
        return None
    for folder in path.parents:
        if folder.name == "snippets" and (folder.parent / "kb").is_dir():
            return folder.parent
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, with --stale, what was recorded on this stack as it is now."""
    if config.option.stale:
        session = config.stash[_KEY]
        left = [item for item in items if isinstance(item, SnippetItem) and session.is_fresh(item)]
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = [item for item in items if item not in left]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Let a recording travel with the report."""
    outcome = yield
    if isinstance(item, SnippetItem) and item.recorded is not None:
        report = outcome.get_result()  # type: ignore[attr-defined]
        if report.when == "call":
            setattr(report, _RECORD, item.recorded)


class _Session:
    """Catalogues and the sandbox of one pytest run, made when first needed."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.said: list[str] = []
        self._catalogues: dict[Path, Catalogue] = {}
        self._cases: dict[Path, dict[str, Case]] = {}
        self._sandbox: Sandbox | None = None
        self._walls: Layers | None = None
        self._versions: dict[str, str] | None = None
        self._runs: dict[Path, Runs | None] = {}
        self._gathered: dict[str, dict[str, Any]] = {}

    @property
    def runs_scripts(self) -> bool:
        """Whether any catalogue is asked for."""
        return bool(self._catalogues)

    @property
    def walls(self) -> Layers:
        """What keeps scripts in. Raises pytest.UsageError where what is required is not there."""
        from unmeta.verify.sandbox import SandboxError, layers

        if self._walls is None:
            try:
                self._walls = layers(self.config.option.isolate)
            except SandboxError as error:
                raise pytest.UsageError(str(error)) from None
        return self._walls

    def catalogue(self, root: Path) -> Catalogue:
        """The catalogue, read once. Raises pytest.UsageError with its findings where it cannot be."""
        from unmeta.kb.load import CatalogueError, load

        if root not in self._catalogues:
            try:
                catalogue = load(root)
            except CatalogueError as error:
                raise pytest.UsageError(f"the catalogue cannot be read:\n{error}") from None
            self._catalogues[root] = catalogue
            self._cases[root] = {case.key: case for case in catalogue.cases()}
            if self.config.option.record or self.config.option.stale:
                self._runs[root] = self._recorded(root)
        return self._catalogues[root]

    def case(self, root: Path, key: str) -> Case | None:
        """The claim about a snippet."""
        self.catalogue(root)
        return self._cases[root].get(key)

    def is_fresh(self, item: SnippetItem) -> bool:
        """Whether a run of this stack is recorded of the item's snippet as it is now."""
        from unmeta.kb.evidence import edited, moved

        root, key = item.parent.root, item.parent.key
        catalogue, runs = self.catalogue(root), self._runs[root]
        seen = runs.snippets.get(key) if runs else None
        if runs is None or seen is None or edited(catalogue.snippets[key], seen):
            return False
        return moved(catalogue, runs, key) is None

    def _recorded(self, root: Path) -> Runs | None:
        """What is recorded of this stack. Raises pytest.UsageError where the runs cannot be read."""
        from unmeta.verify import ledger

        try:
            return ledger.load(root).get(self._new(root, {}).name)
        except ledger.LedgerError as error:
            raise pytest.UsageError(f"the runs cannot be read:\n{error}") from None

    def _new(self, root: Path, observations: dict[str, Observation]) -> Runs:
        """What this session recorded, as the runs of the stack that this machine is."""
        from unmeta.kb.evidence import named
        from unmeta.kb.runs import Runs

        stack = self.catalogue(root).stacks[self.stack(root)]
        return Runs(stack.id, self.config.option.device, named(stack, self.versions), observations)

    @property
    def versions(self) -> dict[str, str]:
        """Releases on this machine."""
        if self._versions is None:
            from unmeta.verify.sandbox import installed

            self._versions = installed()
        return self._versions

    def missing(self, root: Path, key: str) -> list[Case]:
        """Claims without a snippet that are reported with one that exists.

        That is the first of its folder, and the first of all for folders that are not there.
        """
        catalogue = self.catalogue(root)
        folders: dict[str, str] = {}
        for known in catalogue.snippets:
            folders.setdefault(known.rpartition("/")[0], known)
        first = next(iter(catalogue.snippets))
        return [
            case
            for absent, case in self._cases[root].items()
            if absent not in catalogue.snippets
            and not (case.owner in catalogue.causes and catalogue.causes[case.owner].unproved)
            and folders.get(absent.rpartition("/")[0], first) == key
        ]

    def stack(self, root: Path) -> str:
        """Id of the stack that this machine is. Raises pytest.UsageError where it is none."""
        from unmeta.verify.ledger import LedgerError, matching_stack

        try:
            return matching_stack(self.catalogue(root), self.versions, self.config.option.stack).id
        except LedgerError as error:
            raise pytest.UsageError(str(error)) from None

    @property
    def sandbox(self) -> Sandbox:
        """The one sandbox of this process."""
        from unmeta.verify.sandbox import Limits, Sandbox

        if self._sandbox is None:
            seconds = float(os.environ.get("UNMETA_SECONDS", "60"))
            device = self.config.option.device
            self._sandbox = Sandbox(device, Limits(seconds=seconds), isolate=self.walls)
            if not self._sandbox.ready():
                pytest.exit(f"snippets find no {device} device here", pytest.ExitCode.USAGE_ERROR)
        return self._sandbox

    def close(self) -> None:
        """Stop the sandbox."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather recordings, also those that workers send."""
        recorded = getattr(report, _RECORD, None)
        if recorded is not None:
            self._gathered.setdefault(recorded["root"], {})[recorded["key"]] = recorded["observation"]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the recorded runs, once, in the process that sees all of them."""
        self.close()
        if self.config.option.record and not hasattr(self.config, "workerinput"):
            from unmeta.verify.ledger import LedgerError

            try:
                self.save()
            except LedgerError as error:
                self.said.append(str(error))
                session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was written."""
        for line in self.said:
            terminalreporter.write_line(line)

    def save(self) -> None:
        """Merge what was recorded into the runs."""
        from unmeta.kb.runfiles import from_plain
        from unmeta.verify import ledger

        for name, plain in self._gathered.items():
            root = Path(name)
            new = self._new(root, {key: from_plain(item) for key, item in plain.items()})
            target = self.config.option.record_to or root
            written = ledger.record(target, [new], self.catalogue(root).snippets)
            shown = written[0] if len(written) == 1 else f"{len(written)} files of {ledger.folder(target)}"
            self.said.append(f"recorded {len(plain)} snippets in {shown}")


_KEY = pytest.StashKey[_Session]()


class SnippetFile(pytest.File):
    """One snippet."""

    def __init__(self, root: Path, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.root = root
        self.key = self.path.relative_to(root / "snippets").as_posix()

    def collect(self) -> Iterator[pytest.Item]:
        """The run, and what should stand beside it; a file that is named outright comes alone."""
        yield SnippetItem.from_parent(self, name=self.path.stem)
        if not self.session.isinitpath(self.path):
            for case in self.config.stash[_KEY].missing(self.root, self.key):
                yield MissingItem.from_parent(self, name=case.key, case=case)


class _Item(pytest.Item):
    """What snippets and missing snippets have in common: how they fail."""

    parent: SnippetFile

    @property
    def key(self) -> str:
        """Key of the snippet."""
        return self.parent.key

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Claim beside observation, instead of a traceback of this plugin."""
        if isinstance(excinfo.value, MismatchError):
            from unmeta.verify.report import mismatch

            return mismatch(excinfo.value, f"snippets/{self.key}")
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """File, line and heading of a report."""
        return self.path, 0, f"snippets/{self.key}"


class MissingItem(_Item):
    """A claim without a snippet; always fails."""

    def __init__(self, case: Case, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case

    @property
    def key(self) -> str:
        """Key of the snippet that is not there."""
        return self.case.key

    def runtest(self) -> None:
        """Say what is missing."""
        from unmeta.verify.judge import judge

        session = self.config.stash[_KEY]
        verdict = judge(self.case, None, session.catalogue(self.parent.root), session.versions)
        raise MismatchError(self.case, None, verdict.reasons)


class SnippetItem(_Item):
    """Run one snippet and judge it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.recorded: dict[str, Any] | None = None

    def runtest(self) -> None:
        """Run as often as --repeat asks; fail on the first run that does not hold."""
        from unmeta.kb.evidence import Reason
        from unmeta.kb.runfiles import to_plain
        from unmeta.verify.judge import State, judge, obstacle

        session = self.config.stash[_KEY]
        root, key = self.parent.root, self.parent.key
        catalogue, versions = session.catalogue(root), session.versions
        device = self.config.option.device
        case = session.case(root, key)
        if case is None:
            owner = key.partition("/")[0]
            folder = "facts" if owner == "facts" else "causes"
            entry = Path(key).stem if owner == "facts" else owner
            reason = Reason(
                f"no entry speaks of snippets/{key}",
                f"add it to kb/{folder}/{entry}.yaml, or delete the file",
            )
            raise MismatchError(None, None, (reason,))
        blocked = obstacle(case, versions, device)
        if blocked:
            _skip(blocked)
        snippet = catalogue.snippets[key]
        for turn in range(max(1, self.config.option.repeat)):
            observation = session.sandbox.run(snippet, case.needs)
            if turn == 0 and self.config.option.record:
                plain = to_plain(observation)
                self.recorded = {"root": str(root), "key": key, "observation": plain}
            verdict = judge(case, observation, catalogue, versions, device)
            if verdict.state is State.NOT_RUN:
                self.recorded = None
                _skip(verdict.reasons[0])
            if verdict.state is not State.HOLDS:
                raise MismatchError(case, observation, verdict.reasons, catalogue, turn)


def _skip(reason: Reason) -> NoReturn:
    raise pytest.skip.Exception(f"not run: {reason.message}", _use_item_location=True)
