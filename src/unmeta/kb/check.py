"""Rules that the whole knowledge base keeps, one function each; every finding says what to do.

What a single file can get wrong is the loader's matter (`unmeta.kb.load`). Rules here see all
entries and snippets together. Rules that need the matcher or recorded runs live in their own rooms.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from unmeta.kb.findings import Finding, named
from unmeta.kb.load import Catalogue
from unmeta.kb.model import (
    NOT_META,
    OTHER,
    Cause,
    Clue,
    Face,
    Fact,
    Fix,
    Harmless,
    Kind,
    Shown,
    Symptom,
    Trap,
)
from unmeta.kb.program_rules import PROGRAM_RULES
from unmeta.kb.prose import PROSE_RULES
from unmeta.kb.snippet_rules import SNIPPET_RULES
from unmeta.kb.snippets import WRONG_RESULT

Rule = Callable[[Catalogue], Iterable[Finding]]
MAX_UNPROVED = 3
HOME = re.compile(r"((?:/home/|/Users/|\\Users\\))(?!user\b)[A-Za-z0-9_.-]+")


def check(catalogue: Catalogue, rules: Iterable[Rule]) -> list[Finding]:
    """Apply every rule; findings in order of file and line."""
    return sorted({finding for rule in rules for finding in rule(catalogue)})


def at(
    catalogue: Catalogue,
    folder: str,
    entry: str,
    path: tuple[str | int, ...],
    rule: str,
    message: str,
    remedy: str,
) -> Finding:
    """A finding at a key of an entry's file."""
    line = catalogue.line(folder, entry, *path)
    return Finding(f"kb/{folder}/{entry}.yaml", line, rule, message, remedy)


def nearest(word: str, known: Iterable[str]) -> str:
    """A remedy that names the known id nearest to `word`, or the one that it became."""
    if isinstance(known, Mapping):
        for name, entry in known.items():
            if word in getattr(entry, "aliases", ()):
                return f"it is called {name!r} now"
    close = difflib.get_close_matches(word, list(known), 1)
    return f"did you mean {close[0]!r}?" if close else "create it, or correct the id"


def shown_with_paths(cause: Cause) -> Iterator[tuple[Shown, tuple[str | int, ...]]]:
    """Every symptom a cause shows, with the path of its place in the file."""
    for index, shown in enumerate(cause.symptoms):
        yield shown, ("symptoms", index)
    for number, face in enumerate(cause.faces):
        for index, shown in enumerate(face.symptoms):
            yield shown, ("faces", number, "symptoms", index)


def symptoms_exist(catalogue: Catalogue) -> Iterator[Finding]:
    """Every symptom that a cause shows, a fix or fact prints, or an operation raises, is an entry."""
    for cause in catalogue.causes.values():
        for shown, path in shown_with_paths(cause):
            if shown.id not in catalogue.symptoms:
                yield at(
                    catalogue,
                    "causes",
                    cause.id,
                    (*path, "id"),
                    "unknown-symptom",
                    f"no symptom {shown.id!r}",
                    nearest(shown.id, catalogue.symptoms),
                )
    for fact in catalogue.facts.values():
        for index, row in enumerate(fact.operations):
            if row.symptom is not None and row.symptom not in catalogue.symptoms:
                yield at(
                    catalogue,
                    "facts",
                    fact.id,
                    ("operations", index, "symptom"),
                    "unknown-symptom",
                    f"no symptom {row.symptom!r}",
                    nearest(row.symptom, catalogue.symptoms),
                )


def prints_refer(catalogue: Catalogue) -> Iterator[Finding]:
    """What a fix or fact prints is a symptom, and one that does not end the run."""
    owners: list[tuple[str, str, tuple[str | int, ...], Sequence[Harmless]]] = [
        ("causes", cause.id, ("fixes", index, "prints"), fix.prints)
        for cause in catalogue.causes.values()
        for index, fix in enumerate(cause.fixes)
    ]
    owners += [("facts", fact.id, ("prints",), fact.prints) for fact in catalogue.facts.values()]
    for folder, owner, path, items in owners:
        for number, item in enumerate(items):
            symptom = catalogue.symptoms.get(item.id)
            place = (*path, number, "id")
            if symptom is None:
                yield at(
                    catalogue,
                    folder,
                    owner,
                    place,
                    "unknown-symptom",
                    f"no symptom {item.id!r}",
                    nearest(item.id, catalogue.symptoms),
                )
            elif symptom.kind not in (Kind.WARNING, Kind.LOG):
                yield at(
                    catalogue,
                    folder,
                    owner,
                    place,
                    "prints-no-text",
                    f"{item.id!r} is a symptom of kind {symptom.kind}",
                    "name a warning or a log record, or mend what the snippet does",
                )


def clues_refer(catalogue: Catalogue) -> Iterator[Finding]:
    """Clues name symptoms and wordings that exist."""
    for cause in catalogue.causes.values():
        for shown, path in shown_with_paths(cause):
            symptom = catalogue.symptoms.get(shown.id)
            for index, clue in enumerate(shown.clues):
                for known, word in _unknown_in_clue(catalogue, symptom, clue):
                    yield at(
                        catalogue,
                        "causes",
                        cause.id,
                        (*path, "clues", index),
                        "unknown-in-clue",
                        f"{clue.key}: nothing is called {word!r}",
                        nearest(word, known),
                    )


def _unknown_in_clue(
    catalogue: Catalogue, symptom: Symptom | None, clue: Clue
) -> Iterator[tuple[Iterable[str], str]]:
    if clue.key in ("earlier", "not_earlier"):
        known: Iterable[str] = catalogue.symptoms
    elif clue.key == "wording" and symptom is not None:
        known = symptom.messages
    else:
        return
    for word in clue.value:
        if word not in known:
            yield known, word


def relations_exist(catalogue: Catalogue) -> Iterator[Finding]:
    """Related causes, faces of fixes and traps, and ends of traps exist; ids within a cause differ."""
    for cause in catalogue.causes.values():
        for index, other in enumerate(cause.related):
            if other not in catalogue.causes or other == cause.id:
                yield at(
                    catalogue,
                    "causes",
                    cause.id,
                    ("related", index),
                    "unknown-cause",
                    f"no other cause {other!r}",
                    nearest(other, catalogue.causes),
                )
        faces = {face.id for face in cause.faces}
        named: list[tuple[str, Sequence[Face | Fix | Trap]]] = [
            ("faces", cause.faces),
            ("fixes", cause.fixes),
            ("traps", cause.traps),
        ]
        for key, items in named:
            seen: set[str] = set()
            for index, item in enumerate(items):
                if item.id in seen:
                    yield at(
                        catalogue,
                        "causes",
                        cause.id,
                        (key, index),
                        "repeated-id",
                        f"{item.id!r} stands twice in {key}",
                        "rename one of them",
                    )
                seen.add(item.id)
                face = getattr(item, "face", None)
                if face is not None and face not in faces:
                    yield at(
                        catalogue,
                        "causes",
                        cause.id,
                        (key, index, "face"),
                        "unknown-face",
                        f"no face {face!r}",
                        nearest(face, faces),
                    )
        for index, trap in enumerate(cause.traps):
            if trap.ends != WRONG_RESULT and trap.ends not in catalogue.symptoms:
                yield at(
                    catalogue,
                    "causes",
                    cause.id,
                    ("traps", index, "ends"),
                    "unknown-symptom",
                    f"ends in {trap.ends!r}, which is no symptom",
                    nearest(trap.ends, [WRONG_RESULT, *catalogue.symptoms]),
                )


def ids_are_unique(catalogue: Catalogue) -> Iterator[Finding]:
    """Ids and aliases of all kinds share one address space, `/e/<id>/`."""
    owner: dict[str, str] = {}
    folders: list[tuple[str, dict[str, Cause | Symptom | Fact]]] = [
        ("causes", dict(catalogue.causes)),
        ("symptoms", dict(catalogue.symptoms)),
        ("facts", dict(catalogue.facts)),
    ]
    for folder, entries in folders:
        for entry in entries:
            if entry in owner:
                yield at(
                    catalogue,
                    folder,
                    entry,
                    (),
                    "id-taken",
                    f"{entry!r} is also {owner[entry]}",
                    "rename one; every id is an address of the site",
                )
            owner.setdefault(entry, f"kb/{folder}/{entry}.yaml")
    for folder, entries in folders:
        for name, entry_ in entries.items():
            for index, alias in enumerate(entry_.aliases):
                if alias in owner:
                    yield at(
                        catalogue,
                        folder,
                        name,
                        ("aliases", index),
                        "alias-taken",
                        f"{alias!r} already belongs to {owner[alias]}",
                        "remove it from one of the two",
                    )
                owner.setdefault(alias, f"kb/{folder}/{name}.yaml")


def one_cause_tells_alone(catalogue: Catalogue) -> Iterator[Finding]:
    """A symptom that names one cause alone names no second one."""
    told: dict[str, str] = {}
    for cause in catalogue.causes.values():
        for shown, path in shown_with_paths(cause):
            if shown.tells != "alone":
                continue
            first = told.setdefault(shown.id, cause.id)
            if first != cause.id:
                yield at(
                    catalogue,
                    "causes",
                    cause.id,
                    (*path, "tells"),
                    "tells-two",
                    f"{shown.id!r} already names {first!r} alone",
                    "write `tells: with` and clues, in both or in one",
                )


def symptoms_have_causes(catalogue: Catalogue) -> Iterator[Finding]:
    """No symptom stands alone: a cause shows it, a fix prints it, a trap or an operation ends in it."""
    used = {shown.id for cause in catalogue.causes.values() for shown in cause.shown()}
    used |= {trap.ends for cause in catalogue.causes.values() for trap in cause.traps}
    used |= {item.id for cause in catalogue.causes.values() for fix in cause.fixes for item in fix.prints}
    used |= {item.id for fact in catalogue.facts.values() for item in fact.prints}
    used |= {row.symptom for fact in catalogue.facts.values() for row in fact.operations if row.symptom}
    for symptom in catalogue.symptoms:
        if symptom not in used:
            yield at(
                catalogue,
                "symptoms",
                symptom,
                (),
                "orphan-symptom",
                "no cause shows this symptom",
                "add it to the cause that shows it, or delete the file",
            )


def silent_comes_last(catalogue: Catalogue) -> Iterator[Finding]:
    """A silent symptom is where a run ends: nothing can be seen after it."""
    for cause in catalogue.causes.values():
        for shown_list, path in [
            (cause.symptoms, ("symptoms",)),
            *((face.symptoms, ("faces", i, "symptoms")) for i, face in enumerate(cause.faces)),
        ]:
            for index, shown in enumerate(shown_list):
                symptom = catalogue.symptoms.get(shown.id)
                last = index == len(shown_list) - 1
                if symptom is None:
                    continue
                if symptom.kind in (Kind.SILENT, Kind.EXCEPTION) and not last:
                    yield at(
                        catalogue,
                        "causes",
                        cause.id,
                        (*path, index),
                        "ends-too-early",
                        f"{shown.id!r} ({symptom.kind}) ends a run, yet symptoms follow",
                        "reorder or drop them",
                    )
                if last and symptom.kind in (Kind.WARNING, Kind.LOG):
                    yield at(
                        catalogue,
                        "causes",
                        cause.id,
                        (*path, index),
                        "open-end",
                        f"the run cannot end with {shown.id!r}, a {symptom.kind}",
                        "end with the exception, or with the silent symptom that the goal shows",
                    )


def every_cause_has_a_way_out(catalogue: Catalogue) -> Iterator[Finding]:
    """A cause without a fix helps no one; without a snippet it says why."""
    unproved = [cause for cause in catalogue.causes.values() if cause.unproved]
    for cause in catalogue.causes.values():
        if not cause.fixes:
            yield at(
                catalogue,
                "causes",
                cause.id,
                (),
                "no-fix",
                "no fix",
                "add at least one that reaches the goal",
            )
    for cause in unproved[MAX_UNPROVED:]:
        yield at(
            catalogue,
            "causes",
            cause.id,
            ("unproved",),
            "too-many-unproved",
            f"{len(unproved)} causes are unproved, at most {MAX_UNPROVED} may be",
            "write a snippet",
        )


FACE_WITHOUT_FIX = named("face-without-fix", "every face has a fix of its own, or names one that holds there")


def every_face_has_a_way_out(catalogue: Catalogue) -> Iterator[Finding]:
    """A reader who sees a face needs a fix that was run on it."""
    for cause in catalogue.causes.values():
        ids = {fix.id for fix in cause.fixes}
        for number, face in enumerate(cause.faces):
            own = any(fix.face == face.id for fix in cause.fixes)
            if not own and not face.holds and not face.unproved and not cause.unproved:
                yield at(
                    catalogue,
                    "causes",
                    cause.id,
                    ("faces", number),
                    FACE_WITHOUT_FIX,
                    f"the face {face.id!r} has no fix",
                    f"write one with `face: {face.id}`, or name one that holds here as `holds: [id]` "
                    f"and show it by snippets/{cause.id}/fix-<id>-{face.id}.py",
                )
            for index, fix in enumerate(face.holds):
                if fix not in ids:
                    yield at(
                        catalogue,
                        "causes",
                        cause.id,
                        ("faces", number, "holds", index),
                        "unknown-fix",
                        f"no fix {fix!r}",
                        nearest(fix, ids),
                    )


def packages_are_on_a_stack(catalogue: Catalogue) -> Iterator[Finding]:
    """What an entry needs is installed on at least one stack; else no run could ever prove it."""
    offered = {name for stack in catalogue.stacks.values() for name in stack.versions}
    for cause in catalogue.causes.values():
        if cause.unproved:
            continue
        wanted = set(cause.applies) | set(cause.needs.packages)
        ways: list[Face | Fix | Trap] = [*cause.faces, *cause.fixes, *cause.traps]
        for way in ways:
            wanted |= set(way.needs.packages)
        for name in sorted(wanted - offered):
            yield at(
                catalogue,
                "causes",
                cause.id,
                ("needs",),
                "package-nowhere",
                f"no stack of kb/stacks.toml has {name!r}",
                "add it to a stack, or say `unproved:` with the reason",
            )


def scripts_name_nobody(catalogue: Catalogue) -> Iterator[Finding]:
    """No script names somebody's home folder: it exists on one machine only."""
    texts = [(f"snippets/{key}", snippet.text) for key, snippet in catalogue.snippets.items()]
    for program in catalogue.programs.values():
        texts += [(f"{program.key}/{name}", text) for name, text in program.files.items()]
    for path, text in texts:
        for number, line in enumerate(text.split("\n"), 1):
            if found := HOME.search(line):
                message = f"{found[0]!r} is somebody's folder"
                yield Finding(
                    path, number, "home-folder", message, f"write {found[1]}user, or a relative path"
                )


def reports_refer(catalogue: Catalogue) -> Iterator[Finding]:
    """Every report names causes that exist and nobody's folder, and comes once."""
    first: dict[str, int] = {}
    for number, report in enumerate(catalogue.reports, 1):
        for name in (report.cause, *report.also):
            if name not in catalogue.causes and not (name == report.cause and name in (OTHER, NOT_META)):
                yield Finding(
                    "kb/reports.jsonl",
                    number,
                    "unknown-cause",
                    f"no cause {name!r}",
                    f"{nearest(name, catalogue.causes)}; {OTHER!r} and {NOT_META!r} are known as well",
                )
        if found := HOME.search(report.text()):
            yield Finding(
                "kb/reports.jsonl",
                number,
                "home-folder",
                f"{found[0]!r} is somebody's folder",
                f"write {found[1]}user",
            )
        seen = first.setdefault(report.source, number)
        if seen != number:
            yield Finding(
                "kb/reports.jsonl",
                number,
                "repeated-report",
                f"{report.source} stands in line {seen} already",
                "keep one of the two; `also` takes further causes",
            )


ENTRY_RULES: tuple[Rule, ...] = (
    symptoms_exist,
    prints_refer,
    clues_refer,
    relations_exist,
    ids_are_unique,
    one_cause_tells_alone,
    symptoms_have_causes,
    silent_comes_last,
    every_cause_has_a_way_out,
    every_face_has_a_way_out,
    packages_are_on_a_stack,
    reports_refer,
    scripts_name_nobody,
)
KB_RULES: tuple[Rule, ...] = (*ENTRY_RULES, *SNIPPET_RULES, *PROGRAM_RULES, *PROSE_RULES)
