"""The pytest plugin: every file below a catalogue's `snippets/` is a test, and every program of `programs/`.

`pytest snippets/<cause>` runs each snippet in the sandbox, judges it against its entry and prints
claim and observation side by side where they differ; `pytest programs/<cause>` runs programs
likewise. Heavy imports wait until one is met, for this plugin is loaded by every run of the test suite.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from unmeta.verify.mismatch import MismatchError

if TYPE_CHECKING:
    from unmeta.kb.evidence import Reason
    from unmeta.kb.load import Catalogue
    from unmeta.kb.programs import Edition, Program
    from unmeta.kb.runs import Observation, Runs
    from unmeta.kb.snippets import Case
    from unmeta.verify.isolation import Layers
    from unmeta.verify.sandbox import Host, Sandbox

_RECORD, _HOST = "unmeta_record", "unmeta_host"
_PROGRAM = "program.yaml"


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
    asked = {(config.invocation_params.dir / arg.partition("::")[0]).resolve() for arg in config.args}
    scripts: set[Path] = set()
    for root in dict.fromkeys((config.rootpath, config.invocation_params.dir)):
        for folder in (root / "snippets", root / "programs"):
            if not (root / "kb").is_dir() or not folder.is_dir():
                continue
            inside = {path for path in asked if path == folder or folder in path.parents}
            if inside or any(path in folder.parents for path in asked):
                session.catalogue(root)
            scripts |= inside
    session.invite(asked)
    if scripts == asked:
        _leave_out_hypothesis(config.pluginmanager)


def _leave_out_hypothesis(plugins: pytest.PytestPluginManager) -> None:
    """No script is a test of Hypothesis, whose plugin imports all of it at the end, to say nothing."""
    plugin = plugins.get_plugin("hypothesispytest")
    if plugin is not None:
        plugins.unregister(plugin)


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


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a program's own files to the program, tests among them."""
    root = _program_root(collection_path)
    return True if root == config.rootpath and collection_path.name != _PROGRAM else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a snippet or a program that is met in a folder."""
    if file_path.name == _PROGRAM and (root := _program_root(file_path)) == parent.config.rootpath:
        return ProgramFile.from_parent(parent, path=file_path, root=root)
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


def _program_root(path: Path) -> Path | None:
    """The folder that holds `kb/` and the `programs/` in which a program's file lies; None elsewhere."""
    for folder in path.parents[2:]:
        if folder.name == "programs" and (folder.parent / "kb").is_dir() and path.is_file():
            return folder.parent
    return None


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
        left = [item for item in items if isinstance(item, _RecordedItem) and item.is_fresh()]
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = [item for item in items if item not in left]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Let a recording travel with the report."""
    outcome = yield
    if isinstance(item, _RecordedItem) and item.recorded:
        report = outcome.get_result()  # type: ignore[attr-defined]
        if report.when == "call":
            setattr(report, _RECORD, {"root": str(item.parent.root), "observations": item.recorded})


class _Session:
    """Catalogues and the sandbox of one pytest run, made when first needed."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.said: list[str] = []
        self._catalogues: dict[Path, Catalogue] = {}
        self._cases: dict[Path, dict[str, Case]] = {}
        self._missing: dict[Path, dict[str, list[Case]]] = {}
        self._sandbox: Sandbox | None = None
        self._host: Host | None = None
        self._walls: Layers | None = None
        self._imports: tuple[str, ...] = ()
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
            if self.config.option.stack:
                self.stack(root)
            if self.config.option.record or self.config.option.stale:
                self._runs[root] = self._recorded(root)
        return self._catalogues[root]

    def invite(self, asked: Collection[Path]) -> None:
        """Start what workers of pytest-xdist will share, before they start.

        Only where all will run that the command line names: what a choice leaves, only workers know.
        """
        option = self.config.option
        chosen = any(
            getattr(option, name, None) for name in ("keyword", "markexpr", "stale", "lf", "collectonly")
        )
        several = (getattr(option, "numprocesses", None) or 0) > 1 and not hasattr(self.config, "workerinput")
        if not several or chosen or option.device != "cpu" or not sys.platform.startswith("linux"):
            return
        texts = [
            text
            for root, catalogue in self._catalogues.items()
            for place, text in _texts(root, catalogue)
            if any(path == place or path in place.parents for path in asked)
        ]
        if len(texts) > 1:
            from unmeta.verify.preload import wanted
            from unmeta.verify.sandbox import Host

            self._host = Host(option.device, wanted(texts))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist where the host is."""
        if self._host is not None:
            node.workerinput[_HOST] = list(self._host.address)

    def pytest_unconfigure(self) -> None:
        """Stop the host, also where no test was run."""
        self.close()

    def case(self, root: Path, key: str) -> Case | None:
        """The claim about a snippet."""
        self.catalogue(root)
        return self._cases[root].get(key)

    def is_fresh(self, root: Path, key: str, digest: str) -> bool:
        """Whether a run of this stack is recorded of a text that has this digest."""
        from unmeta.kb.evidence import moved

        catalogue, runs = self.catalogue(root), self._runs[root]
        seen = runs.snippets.get(key) if runs else None
        if runs is None or seen is None or seen.digest != digest:
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
        if root not in self._missing:
            folders: dict[str, str] = {}
            for known in catalogue.snippets:
                folders.setdefault(known.rpartition("/")[0], known)
            first = next(iter(catalogue.snippets))
            found = self._missing.setdefault(root, {})
            for absent, case in self._cases[root].items():
                cause = catalogue.causes.get(case.owner)
                if absent not in catalogue.snippets and not (cause and cause.unproved):
                    found.setdefault(folders.get(absent.rpartition("/")[0], first), []).append(case)
        return self._missing[root].get(key, [])

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
        from unmeta.verify.sandbox import Address, Limits, Sandbox

        if self._sandbox is None:
            told = getattr(self.config, "workerinput", {}).get(_HOST)
            host = Address(*told) if told else None
            seconds = float(os.environ.get("UNMETA_SECONDS", "60"))
            device = self.config.option.device
            self._sandbox = Sandbox(device, Limits(seconds=seconds), self._imports, self.walls, host)
            if not self._sandbox.ready():
                pytest.exit(f"snippets find no {device} device here", pytest.ExitCode.USAGE_ERROR)
        return self._sandbox

    def run_program(self, edition: Edition) -> Observation:
        """Run a program, which may take its time."""
        from unmeta.kb.model import Needs
        from unmeta.verify.sandbox import Limits, Script

        main = edition.main
        others = {name: text for name, text in edition.files.items() if name != main}
        script = Script(
            main, edition.files[main], edition.digest, program=True, files=others, argv=edition.argv[1:]
        )
        seconds = float(os.environ.get("UNMETA_SECONDS", "180"))
        return self.sandbox.run(script, Needs(processes=edition.processes), Limits(seconds=seconds))

    def close(self) -> None:
        """Stop the sandbox and the host."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None
        if self._host is not None:
            self._host.close()
            self._host = None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Choose what to import ahead: what the scripts ask for that will run."""
        from unmeta.verify.preload import wanted

        self._imports = wanted(item.text for item in session.items if isinstance(item, _RecordedItem))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather recordings, also those that workers send."""
        recorded = getattr(report, _RECORD, None)
        if recorded is not None:
            self._gathered.setdefault(recorded["root"], {}).update(recorded["observations"])

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
            catalogue = self.catalogue(root)
            written = ledger.record(target, [new], ledger.known(catalogue))
            shown = written[0] if len(written) == 1 else f"{len(written)} files of {ledger.folder(target)}"
            programs = sum(key.startswith("programs/") for key in plain)
            said = [f"{len(plain) - programs} snippets"] if len(plain) > programs else []
            said += [f"{programs} runs of programs"] if programs else []
            self.said.append(f"recorded {' and '.join(said)} in {shown}")
            if any(key.partition("/")[0] in catalogue.causes for key in plain):
                self.said.append("`unmeta effect` says which answers to public reports your entries change")


_KEY = pytest.StashKey[_Session]()


def _texts(root: Path, catalogue: Catalogue) -> Iterator[tuple[Path, str]]:
    """Every script's file, or folder of a program, and its text."""
    for key, snippet in catalogue.snippets.items():
        yield root / "snippets" / key, snippet.text
    for key, program in catalogue.programs.items():
        yield root / key / _PROGRAM, "\n".join([*program.files.values(), *program.repairs.values()])


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


class ProgramFile(pytest.File):
    """One program."""

    def __init__(self, root: Path, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.root = root
        self.key = self.path.parent.relative_to(root).as_posix()

    def collect(self) -> Iterator[pytest.Item]:
        """The program: as it fails, and repaired."""
        yield ProgramItem.from_parent(self, name=self.path.parent.name)


class _Item(pytest.Item):
    """What snippets, programs and missing snippets have in common: how they fail."""

    parent: SnippetFile | ProgramFile

    @property
    def key(self) -> str:
        """Key of the snippet."""
        return self.parent.key

    @property
    def where(self) -> str:
        """What is run, as a path."""
        return f"snippets/{self.key}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Claim beside observation, instead of a traceback of this plugin."""
        from unmeta.verify.sandbox import SandboxError

        if isinstance(excinfo.value, SandboxError):
            return str(excinfo.value)
        if isinstance(excinfo.value, MismatchError):
            from unmeta.verify.report import mismatch

            return mismatch(excinfo.value, self.where)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """File, line and heading of a report."""
        return self.path, 0, self.where


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


class _RecordedItem(_Item):
    """What runs and can be recorded; `recorded` holds observations by key, as plain data."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.recorded: dict[str, Any] = {}

    @property
    def text(self) -> str:
        """All code of it."""
        raise NotImplementedError

    def is_fresh(self) -> bool:
        """Whether all of it is recorded on this stack as it is now."""
        raise NotImplementedError


class SnippetItem(_RecordedItem):
    """Run one snippet and judge it."""

    @property
    def text(self) -> str:
        """The snippet's text; empty where there is none of this name."""
        snippet = self.config.stash[_KEY].catalogue(self.parent.root).snippets.get(self.key)
        return snippet.text if snippet else ""

    def is_fresh(self) -> bool:
        """Whether the snippet is recorded on this stack as it is now."""
        session = self.config.stash[_KEY]
        root, key = self.parent.root, self.parent.key
        return session.is_fresh(root, key, session.catalogue(root).snippets[key].digest)

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
                self.recorded = {key: to_plain(observation)}
            verdict = judge(case, observation, catalogue, versions, device)
            if verdict.state is State.NOT_RUN:
                self.recorded = {}
                _skip(verdict.reasons[0])
            if verdict.state is not State.HOLDS:
                raise MismatchError(case, observation, verdict.reasons, catalogue, turn)


class ProgramItem(_RecordedItem):
    """Run a program and its repaired copy, and judge both."""

    @property
    def where(self) -> str:
        """The program's folder."""
        return self.key

    @property
    def program(self) -> Program:
        """What is run."""
        return self.config.stash[_KEY].catalogue(self.parent.root).programs[self.key]

    @property
    def text(self) -> str:
        """All files of the program and of its repaired copy."""
        return "\n".join([*self.program.files.values(), *self.program.repairs.values()])

    def is_fresh(self) -> bool:
        """Whether both are recorded on this stack as they are now."""
        session = self.config.stash[_KEY]
        return all(
            session.is_fresh(self.parent.root, edition.key, edition.digest)
            for edition in self.program.editions()
        )

    def runtest(self) -> None:
        """Run both; fail where one does not hold."""
        from unmeta.kb.runfiles import to_plain
        from unmeta.verify import programs
        from unmeta.verify.judge import State

        session = self.config.stash[_KEY]
        catalogue, versions, program = session.catalogue(self.parent.root), session.versions, self.program
        device = self.config.option.device
        if blocked := programs.obstacle(program, catalogue, versions, device):
            _skip(blocked)
        seen = {edition.key: session.run_program(edition) for edition in program.editions()}
        if self.config.option.record:
            self.recorded = {key: to_plain(observation) for key, observation in seen.items()}
        for edition in program.editions():
            other = next((one for key, one in seen.items() if key != edition.key), None)
            verdict = programs.judge(program, edition, seen[edition.key], other, catalogue, versions, device)
            if verdict.state is State.NOT_RUN:
                self.recorded = {}
                _skip(verdict.reasons[0])
            if verdict.state is not State.HOLDS:
                raise MismatchError(None, seen[edition.key], verdict.reasons, catalogue)


def _skip(reason: Reason) -> NoReturn:
    raise pytest.skip.Exception(f"not run: {reason.message}", _use_item_location=True)
