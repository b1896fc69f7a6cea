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
class Seen:
    """Releases of one package whose runs show something, and those whose runs show that it is absent."""

    yes: set[Version] = field(default_factory=set)
    no: set[Version] = field(default_factory=set)


def outside(bound: Specifier, seen: Seen) -> str | None:
    """Why a bound is not where the runs put it, in words; None where it is.

    A lower bound lies above the newest run without and not above the oldest run with the thing, an upper
    one likewise. Where no run without it exists on that side, the bound may not reach beyond the minor
    release of the outermost run with it.
    """
    if not seen.yes:
        return None  # nothing was shown anywhere: that is another rule's finding
    operator, stated = bound.operator, bound.version
    if operator == "!=":
        left_out = SpecifierSet(f"=={stated}")
        shown = any(left_out.contains(str(item), prereleases=True) for item in seen.no)
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
    """A bound that was typed lies where runs put it: between one that shows the thing and one without."""
    counted = list(evidence.counted(catalogue, runs.values()))
    shown = _shown(catalogue, counted)
    for cause in catalogue.causes.values():
        places: list[tuple[str | None, Mapping[str, str], tuple[str | int, ...]]]
        places = [(None, cause.applies, ("applies",))]
        for number, face in enumerate(cause.faces):
            places.append((face.id, face.applies or {}, ("faces", number, "applies")))
        for name, ranges, path in places:
            for package, told in _outside(ranges, shown.get(broken_key(cause.id, name), [])):
                yield at(catalogue, "causes", cause.id, (*path, package), UNBRACKETED, told, _REMEDY)
    printed = _printed(catalogue, counted)
    for symptom in catalogue.symptoms.values():
        for name, wording in symptom.messages.items():
            for _, told in _outside(_ranges(wording), printed.get((symptom.id, name), [])):
                path = ("messages", name)
                yield at(catalogue, "symptoms", symptom.id, path, UNBRACKETED, told, _REMEDY)


_REMEDY = "move the bound to where runs change, or record a run on a stack that lies beyond it"
Show = tuple[Mapping[str, str], bool]
"""Versions of a run, and whether it shows the thing."""


def _ranges(wording: Wording) -> dict[str, str]:
    """The releases of a wording as version ranges."""
    ranges: dict[str, str] = {package: f">={first}" for package, first in wording.since.items()}
    for package, last in wording.until.items():
        ranges[package] = ",".join(filter(None, [ranges.get(package), f"<={last}"]))
    return ranges


def _outside(ranges: Mapping[str, str], shows: Iterable[Show]) -> Iterator[tuple[str, str]]:
    """Packages with a bound that runs do not bracket, and why; runs count where all other bounds hold."""
    shows = list(shows)
    for package, wanted in ranges.items():
        others = {name: value for name, value in ranges.items() if name != package}
        for bound in sorted(SpecifierSet(wanted), key=str):
            rest = ",".join(str(item) for item in SpecifierSet(wanted) if item != bound)
            seen = Seen()
            for versions, shown in shows:
                if package in versions and inside({**others, package: rest}, versions):
                    (seen.yes if shown else seen.no).add(Version(versions[package]))
            if reason := outside(bound, seen):
                yield package, f"{package} {bound} {reason}"


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
