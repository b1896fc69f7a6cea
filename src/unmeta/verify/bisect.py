"""At which release of a package does what a snippet shows change? Bisects over released wheels.

Run it in an environment that may be spoilt, which `nox -s bisect` makes: each step installs another release.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

from unmeta.kb.load import Catalogue, CatalogueError, load
from unmeta.kb.snippets import Case
from unmeta.verify.judge import absent, recognise
from unmeta.verify.preload import wanted
from unmeta.verify.sandbox import Sandbox, installed

KEPT = ("torch",)
"""Packages whose release stays: pip would otherwise fetch gigabytes for another."""
Shows = Callable[[Version], str | None]
"""What the snippet shows with a release, in one line; None where that cannot be told."""


class BisectError(ValueError):
    """Nothing to bisect: an unknown snippet, no such releases, or ends that show the same."""


@dataclass(frozen=True)
class Turn:
    """The last release that shows what the first did, and the next one that shows something else.

    `skipped` are releases between the two with which nothing could be told; `last` is what the end of the
    range shows, which differs from `new` where the outcome changes more than once.
    """

    before: Version
    after: Version
    old: str
    new: str
    last: str
    skipped: tuple[Version, ...] = ()


def between(released: Iterable[str], first: str, last: str) -> list[Version]:
    """Final releases from `first` to `last`, oldest first. Raises BisectError where an end is unknown."""
    low, high = Version(first), Version(last)
    known = {Version(item) for item in released}
    for end in (low, high):
        if end not in known:
            raise BisectError(f"{end} was not released for this Python")
    if low >= high:
        raise BisectError(f"{low} is not older than {high}")
    return sorted(item for item in known if low <= item <= high and not item.is_prerelease)


def first_change(releases: Sequence[Version], shows: Shows) -> Turn:
    """Where the outcome changes first, by halving; it is assumed to change once.

    A release with which nothing can be told is passed over, as `git bisect skip` does. Raises BisectError
    where an end cannot be told, or both show the same.
    """
    seen: dict[Version, str | None] = {}

    def ask(number: int) -> str | None:
        release = releases[number]
        if release not in seen:
            seen[release] = shows(release)
        return seen[release]

    def end(number: int) -> str:
        told = ask(number)
        if told is None:
            raise BisectError(f"{releases[number]} could not be run")
        return told

    low, high = 0, len(releases) - 1
    old, last = end(low), end(high)
    if old == last:
        raise BisectError(f"{releases[low]} and {releases[high]} show the same: {old}")
    while (untried := [n for n in range(low + 1, high) if seen.get(releases[n], "") is not None]) != []:
        middle = untried[len(untried) // 2]
        told = ask(middle)
        if told is None:
            continue
        low, high = (middle, high) if told == old else (low, middle)
    return Turn(releases[low], releases[high], old, end(high), last, tuple(releases[low + 1 : high]))


@dataclass(frozen=True)
class Environment:
    """The Python that runs this, whose packages pip replaces."""

    package: str
    python: str = sys.executable

    def released(self) -> list[str]:
        """All releases that pip finds for this Python. Raises BisectError where it finds none."""
        told = self._pip("index", "versions", self.package)
        for line in told.stdout.splitlines():
            head, _, rest = line.partition(":")
            if head.strip() == "Available versions":
                return [item for item in map(str.strip, rest.split(",")) if _is_version(item)]
        raise BisectError(f"pip finds no release of {self.package}: {told.stderr.strip()}")

    def install(self, release: Version) -> str | None:
        """Install one release; pip's last words where it cannot be."""
        here = installed()
        kept = [f"{name}=={here[name]}" for name in KEPT if name in here and name != self.package]
        told = self._pip("install", "--quiet", f"{self.package}=={release}", *kept)
        importlib.invalidate_caches()
        return None if told.returncode == 0 else (told.stderr.strip().splitlines() or ["pip failed"])[-1]

    def _pip(self, *args: str) -> subprocess.CompletedProcess[str]:
        command = [self.python, "-m", "pip", "--disable-pip-version-check", *args]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def shown(case: Case, catalogue: Catalogue, versions: Mapping[str, str]) -> str | None:
    """Run a snippet as the libraries are now, and say in one line what it shows.

    Symptoms stand by their ids and other events by their types, so that a text that only names other numbers
    is no change. None where a library that it imports is not there.
    """
    snippet = catalogue.snippets[case.key]
    with Sandbox(preload=wanted([snippet.text])) as sandbox:
        observation = sandbox.run(snippet, case.needs)
    if absent(observation, versions):
        return None
    events = []
    for event in observation.events:
        seen = recognise(event, catalogue)
        name = f"{seen.symptom} ({seen.wording})" if seen else f"{event.kind} {event.type or event.origin}"
        if name not in events:
            events.append(name)
    return f"{observation.outcome}: {', '.join(events) or 'nothing printed'}"


def named_case(catalogue: Catalogue, name: str) -> Case:
    """The case that a path or a key names. Raises BisectError where none is."""
    key = name.removeprefix("./").removeprefix("snippets/")
    case = catalogue.case(key if key.endswith(".py") else f"{key}.py")
    if case is None or case.key not in catalogue.snippets:
        raise BisectError(f"no entry speaks of snippets/{key}")
    return case


def main(args: Sequence[str] | None = None) -> int:
    """The command: `python -m unmeta.verify.bisect SNIPPET PACKAGE FIRST LAST`."""
    parser = argparse.ArgumentParser(prog="nox -s bisect --", description=__doc__)
    parser.add_argument("snippet", help="as snippets/<entry>/broken.py")
    parser.add_argument("package")
    parser.add_argument("first", help="an older release")
    parser.add_argument("last", help="a newer one")
    parser.add_argument("--root", type=Path, default=Path(), help="the folder that holds kb/ and snippets/")
    asked = parser.parse_args(args)
    environment = Environment(asked.package)
    try:
        catalogue = load(asked.root)
        case = named_case(catalogue, asked.snippet)
        releases = between(environment.released(), asked.first, asked.last)

        def shows(release: Version) -> str | None:
            refused = environment.install(release)
            told = None if refused else shown(case, catalogue, installed())
            print(f"{asked.package} {release}: {told or refused or 'not run'}", flush=True)
            return told

        change = first_change(releases, shows)
    except (BisectError, CatalogueError, InvalidVersion) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"\n{case.key} changes between {asked.package} {change.before} and {change.after}:")
    print(f"  {change.before}: {change.old}\n  {change.after}: {change.new}")
    if change.last != change.new:
        print(f"  and again later; {releases[-1]}: {change.last}")
    if change.skipped:
        print(f"  could not be run: {', '.join(map(str, change.skipped))}")
    return 0


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
