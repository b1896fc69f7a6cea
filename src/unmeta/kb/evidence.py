"""What was recorded, and which of it counts: the one home of both for judge, ledger, matcher and site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from unmeta.kb.files import UnreadableError, shown, walk
from unmeta.kb.files import read as read_text
from unmeta.kb.findings import Finding
from unmeta.kb.load import Catalogue
from unmeta.kb.model import Stack, inside
from unmeta.kb.runfiles import (
    MAX_FILE,
    SMALL_FILE,
    VERSIONS,
    RunsFileError,
    key_of,
    parse,
    parse_sets,
    path_of,
)
from unmeta.kb.runs import Observation, Runs
from unmeta.kb.snippets import Case, Role, Snippet

FOLDER = "kb/runs"
MOST_SAID = 5
_RESTORE = "runs are written by `pytest … --record`: restore the file with git, or delete it and record again"


class EvidenceError(ValueError):
    """The runs cannot be read; `findings` say where and why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = sorted(findings)
        more = len(self.findings) - MOST_SAID
        told = [*map(str, self.findings[:MOST_SAID]), *([_more(more)] if more > 0 else [])]
        super().__init__("\n".join(told))


def _more(count: int) -> str:
    return f"and {count} more file{'' if count == 1 else 's'}"


@dataclass(frozen=True)
class Reason:
    """Why a run does not count, or does not show what is claimed, and what to do about it."""

    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.message}\n    → {self.remedy}" if self.remedy else self.message


@dataclass(frozen=True)
class Counted:
    """A run that counts: its case, the runs it is of, all versions, and what was seen.

    `claimed` tells whether the cause exists with these versions; a run elsewhere shows that nothing happens.
    """

    case: Case
    runs: Runs
    observation: Observation
    versions: Mapping[str, str]
    claimed: bool


def load(root: Path) -> dict[str, Runs]:
    """All that was recorded, by name of the runs. Raises EvidenceError where any of it cannot be read."""
    runs, findings = read(root)
    if findings:
        raise EvidenceError(findings)
    return runs


def read(root: Path) -> tuple[dict[str, Runs], list[Finding]]:
    """What was recorded as far as it can be read, and a finding for every file that cannot be."""
    findings: list[Finding] = []
    texts: dict[str, str] = {}
    for path in walk(root, FOLDER, findings):
        name = shown(path, root)
        if path.name.startswith("."):  # of a recorder that writes, or was killed
            continue
        if path.suffix != ".json":
            findings.append(Finding(name, 1, "stray-file", "only runs live here", "move or delete it"))
            continue
        try:
            texts[name.removeprefix(f"{FOLDER}/")] = read_text(path, name, MAX_FILE)
        except UnreadableError as error:
            findings.append(replace(error.finding, remedy=_RESTORE))
    if not texts or any(finding.path == f"{FOLDER}/{VERSIONS}" for finding in findings):
        return {}, findings
    try:
        # Without it no file says anything: that is one finding, not one a file.
        if VERSIONS not in texts:
            raise RunsFileError("is missing")
        sets = parse_sets(texts.pop(VERSIONS))
    except RunsFileError as error:
        return {}, [*findings, _finding(f"{FOLDER}/{VERSIONS}", error)]
    by_stack: dict[str, dict[str, Observation]] = {}
    for name, text in texts.items():
        try:
            sightings = parse(text, sets)
        except RunsFileError as error:
            findings.append(_finding(f"{FOLDER}/{name}", error))
            continue
        strayed = next((key for script in sightings if path_of(key := key_of(name, script))[0] != name), None)
        if strayed is not None:
            misplaced = RunsFileError(f"the runs of {strayed} stand in {path_of(strayed)[0]}")
            findings.append(_finding(f"{FOLDER}/{name}", misplaced))
            continue
        for snippet, seen in sightings.items():
            for stack, observation in seen.items():
                by_stack.setdefault(stack, {})[key_of(name, snippet)] = observation
    return {name: gathered(name, by_stack[name]) for name in sorted(by_stack)}, findings


def large(root: Path) -> list[Finding]:
    """A finding for every file of runs that has grown too large to be reviewed."""
    sizes = {shown(path, root): path.stat().st_size for path in walk(root, FOLDER, [])}
    return [
        Finding(
            name,
            1,
            "large-runs",
            f"{size / 1000:,.0f} kB, more than {SMALL_FILE // 1000}",
            "print less in the script that prints most, or show part of it in a face or an entry of its own",
        )
        for name, size in sizes.items()
        if size > SMALL_FILE
    ]


def gathered(name: str, observations: Mapping[str, Observation]) -> Runs:
    """The runs of one stack from observations that know all their versions."""
    counts = Counter(tuple(sorted(seen.versions.items())) for seen in observations.values())
    usual = dict(min(counts, key=lambda one: (-counts[tuple(one)], one), default=()))
    own = {
        key: replace(seen, versions={} if seen.versions == usual else seen.versions)
        for key, seen in sorted(observations.items())
    }
    stack = name.removesuffix("-cuda")
    return Runs(stack, "cpu" if stack == name else "cuda", usual, own)


def versions_of(runs: Runs, observation: Observation) -> dict[str, str]:
    """The versions that one observation was made with."""
    return dict(observation.versions or runs.versions)


def named(stack: Stack, versions: Mapping[str, str]) -> dict[str, str]:
    """Of the versions on a machine those that its stack names; a patch release of Python says nothing."""
    return {
        package: wanted if _same(package, wanted, versions.get(package)) else versions[package]
        for package, wanted in stack.versions.items()
        if package in versions
    }


def mismatches(stack: Stack, versions: Mapping[str, str]) -> list[str]:
    """How versions differ from those of a stack; patch releases of Python do not count."""
    return [
        f"{package} {versions.get(package, 'none')} (stack: {wanted})"
        for package, wanted in stack.versions.items()
        if not _same(package, wanted, versions.get(package))
    ]


def _same(package: str, wanted: str, has: str | None) -> bool:
    return has == wanted or (package == "python" and (has or "").startswith(wanted + "."))


def edited(snippet: Snippet, observation: Observation) -> Reason | None:
    """Why an observation is not of the snippet as it is now; None where it is."""
    if observation.digest == snippet.digest:
        return None
    return Reason(
        f"snippets/{snippet.key} was edited after its run of {observation.date or 'unknown date'}",
        f"pytest snippets/{snippet.key} --record",
    )


def moved(catalogue: Catalogue, runs: Runs, key: str) -> Reason | None:
    """Why the runs of a snippet are not of the stack as `kb/stacks.toml` has it now; None where they are."""
    stack = catalogue.stacks.get(runs.stack)
    if stack is None:
        return Reason(f"kb/stacks.toml has no stack {runs.stack!r}")
    observation = runs.snippets.get(key)
    wrong = mismatches(stack, versions_of(runs, observation)) if observation else []
    if not wrong:
        return None
    remedy = f"pytest snippets/{key} --record on the stack {stack.id!r}"
    return Reason(f"run with other versions: {'; '.join(wrong)}", remedy)


def counted(catalogue: Catalogue, all_runs: Iterable[Runs], role: Role | None = None) -> Iterator[Counted]:
    """Every run that counts, of one role or of all: of its snippet and its stack as they are now."""
    cases = [case for case in catalogue.cases() if role in (None, case.role)]
    for runs in all_runs:
        for case in cases:
            observation, snippet = runs.snippets.get(case.key), catalogue.snippets.get(case.key)
            if observation is None or snippet is None:
                continue
            if edited(snippet, observation) or moved(catalogue, runs, case.key):
                continue
            versions = versions_of(runs, observation)
            yield Counted(case, runs, observation, versions, inside(case.applies, versions))


def _finding(name: str, error: RunsFileError) -> Finding:
    return Finding(name, error.line, "bad-runs", str(error), _RESTORE)
