"""Do recorded runs stand on both sides of a bound that an entry states? Pure functions and one rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from packaging.specifiers import Specifier, SpecifierSet
from packaging.version import Version

from unmeta.kb import evidence
from unmeta.kb.check import at
from unmeta.kb.evidence import Counted
from unmeta.kb.findings import Finding, named
from unmeta.kb.load import Catalogue
from unmeta.kb.model import Wording, inside
from unmeta.kb.runs import Runs
from unmeta.kb.snippets import Role, broken_key
from unmeta.verify.judge import State, judge, recognise

UNBRACKETED = named("unbracketed-bound", "runs stand on both sides of a stated bound")


@dataclass
class Sides:
    """Releases of one package whose runs show something, and those whose runs show that it is absent."""

    yes: set[Version] = field(default_factory=set)
    no: set[Version] = field(default_factory=set)


def outside(bound: Specifier, seen: Sides, hole: str = "") -> str | None:
    """Why a bound is not where the runs put it, in words; None where it is.

    `hole` are all releases that are left out in a row with that of a `!=`: one run among them speaks for all.

    A lower bound lies above the newest run without and not above the oldest run with the thing, an upper
    one likewise. Where no run without it exists on that side, the bound may not reach beyond the minor
    release of the outermost run with it.
    """
    if not seen.yes:
        return None  # nothing was shown anywhere: that is another rule's finding
    operator, stated = bound.operator, bound.version
    if operator == "!=":
        left_out = [SpecifierSet(f"=={item}") for item in (hole or stated).split(",")]
        shown = any(one.contains(str(item), prereleases=True) for item in seen.no for one in left_out)
        return None if shown else f"no run on {stated} shows that it is absent there"
    if operator in (">=", ">"):
        edge, limit = min(seen.yes), Version(stated)
        beyond = max((item for item in seen.no if item < edge), default=None)
        wrong = beyond is not None and (beyond > limit or (beyond == limit and operator == ">="))
        said = f"begins at {stated}; the oldest run that shows it is {edge}"
    elif operator in ("<", "<="):
        edge, limit = max(seen.yes), Version(stated)
        beyond = min((item for item in seen.no if item > edge), default=None)
        wrong = beyond is not None and (beyond < limit or (beyond == limit and operator == "<="))
        said = f"ends at {stated}; the newest run that shows it is {edge}"
    else:
        return None
    if beyond is None:
        return (
            None
            if operator in (">=", ">", "<=") and edge.release[:2] == limit.release[:2]
            else (f"{said}, and no run beyond shows that it is absent")
        )
    return f"{said}, and {beyond} shows already that it is absent" if wrong else None


def bounds_are_bracketed(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """A bound that was typed lies where runs put it: between one that shows the thing and one without.

    `kb/bounds.toml` excuses those that no stack can bracket, with how they are known.
    """
    excused = {(item.entry, item.part, item.package, item.bound): item for item in catalogue.bounds.values()}
    for finding, about in _unbracketed(catalogue, runs):
        if excused.pop(about, None) is None:
            yield finding
    for item in excused.values():
        told = f"[{item.id}]: runs bracket {item.package} {item.bound}, or {item.entry} does not state it"
        yield Finding("kb/bounds.toml", 1, UNBRACKETED, told, "remove it")


About = tuple[str, str | None, str, str]
"""Entry, face or wording, package and bound."""


def _unbracketed(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[tuple[Finding, About]]:
    counted = list(evidence.counted(catalogue, runs.values()))
    shown = _shown(catalogue, counted)
    for cause in catalogue.causes.values():
        places: list[tuple[str | None, Mapping[str, str], tuple[str | int, ...]]]
        places = [(None, cause.applies, ("applies",))]
        for number, face in enumerate(cause.faces):
            places.append((face.id, face.applies or {}, ("faces", number, "applies")))
        for name, ranges, path in places:
            for package, bound, told in _outside(ranges, shown.get(broken_key(cause.id, name), [])):
                found = at(catalogue, "causes", cause.id, (*path, package), UNBRACKETED, told, _REMEDY)
                yield found, (cause.id, name, package, bound)
    printed = _printed(catalogue, counted)
    for symptom in catalogue.symptoms.values():
        for name, wording in symptom.messages.items():
            for package, bound, told in _outside(_ranges(wording), printed.get((symptom.id, name), [])):
                place = ("messages", name)
                found = at(catalogue, "symptoms", symptom.id, place, UNBRACKETED, told, _REMEDY)
                yield found, (symptom.id, name, package, bound)


_REMEDY = "move the bound to where runs change, or record a run on a stack that lies beyond it"
Show = tuple[Mapping[str, str], bool]
"""Versions of a run, and whether it shows the thing."""


def _ranges(wording: Wording) -> dict[str, str]:
    """The releases of a wording as version ranges."""
    ranges: dict[str, str] = {package: f">={first}" for package, first in wording.since.items()}
    for package, last in wording.until.items():
        ranges[package] = ",".join(filter(None, [ranges.get(package), f"<={last}"]))
    return ranges


def _outside(ranges: Mapping[str, str], shows: Iterable[Show]) -> Iterator[tuple[str, str, str]]:
    """Packages with a bound that runs do not bracket, it, and why; runs count where all others hold."""
    shows = list(shows)
    for package, wanted in ranges.items():
        others = {name: value for name, value in ranges.items() if name != package}
        for bound in sorted(SpecifierSet(wanted), key=str):
            hole = _hole(bound, SpecifierSet(wanted))
            rest = ",".join(str(item) for item in SpecifierSet(wanted) if not _of(item, bound, hole))
            seen = Sides()
            for versions, shown in shows:
                if package in versions and inside({**others, package: rest}, versions):
                    (seen.yes if shown else seen.no).add(Version(versions[package]))
            if reason := outside(bound, seen, ",".join(hole)):
                yield package, str(bound), f"{package} {bound} {reason}"


def _of(item: Specifier, bound: Specifier, hole: Iterable[str]) -> bool:
    return item == bound or (item.operator == "!=" and item.version in set(hole))


def _hole(bound: Specifier, wanted: SpecifierSet) -> list[str]:
    """What `!=` leaves out in a row with `bound`, minor after minor; nothing for other bounds."""
    if bound.operator != "!=" or not bound.version.endswith(".*"):
        return []
    minors = {
        _minor(item): item.version for item in wanted if item.operator == "!=" and item.version.endswith(".*")
    }
    major, minor = _minor(bound)
    low = high = minor
    while (major, low - 1) in minors:
        low -= 1
    while (major, high + 1) in minors:
        high += 1
    return [minors[major, number] for number in range(low, high + 1)]


def _minor(bound: Specifier) -> tuple[int, int]:
    release = Version(bound.version.removesuffix(".*")).release
    return release[0], release[1] if len(release) > 1 else 0


def _shown(catalogue: Catalogue, counted: Iterable[Counted]) -> dict[str, list[Show]]:
    """For every broken snippet its runs that hold: inside the entry's range they show the cause."""
    found: dict[str, list[Show]] = {}
    for run in counted:
        if run.case.role is Role.BROKEN:
            verdict = judge(run.case, run.observation, catalogue, run.versions, run.runs.device)
            if verdict.state is State.HOLDS:
                found.setdefault(run.case.key, []).append((run.versions, run.claimed))
    return found


def _printed(catalogue: Catalogue, counted: Iterable[Counted]) -> dict[tuple[str, str], list[Show]]:
    """For every wording the runs of the snippets that print it on some stack, and whether each prints it."""
    known: dict[tuple[str, str, str], tuple[str, str] | None] = {}
    by_key: dict[str, list[tuple[Mapping[str, str], set[tuple[str, str]]]]] = {}
    for run in counted:
        here: set[tuple[str, str]] = set()
        for event in run.observation.events:
            about = (event.kind, event.type, event.text)
            if about not in known:
                seen = recognise(event, catalogue)
                known[about] = (seen.symptom, seen.wording) if seen else None
            if (wording := known[about]) is not None:
                here.add(wording)
        by_key.setdefault(run.case.key, []).append((run.versions, here))
    found: dict[tuple[str, str], list[Show]] = {}
    for runs in by_key.values():
        for wording in set().union(*(here for _, here in runs)):
            found.setdefault(wording, []).extend((versions, wording in here) for versions, here in runs)
    return found
