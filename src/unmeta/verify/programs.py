"""Does a program fail as its cause says, and does its repaired copy reach its end? Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from unmeta.kb.evidence import Reason, moved, versions_of
from unmeta.kb.load import Catalogue
from unmeta.kb.model import Cause, Kind, inside
from unmeta.kb.programs import Edition, Program
from unmeta.kb.runs import Observation, Runs
from unmeta.match.template import Template
from unmeta.verify.judge import ENDINGS, State, Verdict, absent, recognise, short

_EXIT = re.compile(r"\b(?:sys\.exit|os\._exit)\((.*?)\)(?:;|$)")


def obstacle(
    program: Program, catalogue: Catalogue, versions: Mapping[str, str], device: str
) -> Reason | None:
    """Why a program cannot be run or shows nothing here; None where it can."""
    cause = catalogue.causes.get(program.claim.cause)
    wanted = [("needs", program.claim.needs.packages)]
    if cause is not None:
        wanted.append(("is about", cause.needs.packages))
    for verb, packages in wanted:
        for package, ranges in packages.items():
            if not inside({package: ranges}, versions):
                has = f"{package} {versions[package]}" if package in versions else f"no {package}"
                return Reason(f"{verb} {package} {ranges}; here is {has}")
    if (program.claim.needs.device or device) != device:
        return Reason(
            f"needs {program.claim.needs.device}", f"run with --device {program.claim.needs.device}"
        )
    if cause is not None and not any(inside(ranges, versions) for ranges in _ranges(cause)):
        return Reason("its cause does not exist on these versions (see `applies` of the entry)")
    return None


def _ranges(cause: Cause) -> Iterator[Mapping[str, str]]:
    yield cause.applies
    for face in cause.faces:
        if face.applies is not None:
            yield face.applies


def judge(
    program: Program,
    edition: Edition,
    seen: Observation | None,
    other: Observation | None,
    catalogue: Catalogue,
    versions: Mapping[str, str],
    device: str = "cpu",
) -> Verdict:
    """Compare one run of a program with what is claimed of it; `other` is the run of its other edition."""
    blocked = obstacle(program, catalogue, versions, device)
    if blocked is not None:
        return Verdict(State.NOT_RUN, (blocked,))
    again = f"pytest {program.key} --record"
    if seen is None:
        return Verdict(State.NOT_RUN, (Reason("never run here", again),))
    if seen.digest != edition.digest:
        return Verdict(State.STALE, (Reason("was edited after its run", again),))
    library = absent(seen, versions)
    if library is not None:
        remedy = f"say so in `needs`: {{{library}: ...}}"
        return Verdict(State.NOT_RUN, (Reason(f"imports {library}; here is no {library}", remedy),))
    broken = edition == program.broken
    reasons = tuple(
        _broken(program, seen, other, catalogue) if broken else _repaired(program, seen, catalogue)
    )
    return Verdict(State.FAILS if reasons else State.HOLDS, reasons)


def _broken(
    program: Program, seen: Observation, other: Observation | None, catalogue: Catalogue
) -> Iterator[Reason]:
    yield from _unfit(seen)
    failed = exit_code(seen) != 0
    cause = catalogue.causes.get(program.claim.cause)
    if cause is None:
        if not (failed or seen.events or seen.output):
            yield Reason(
                "the near miss fails in no way that can be seen", "let it fail, or print what is wrong"
            )
        return
    shown = {item.id for item in cause.shown()}
    silent = {name for name in shown if catalogue.symptoms[name].kind is Kind.SILENT}
    found = symptoms(seen, catalogue, shown)
    differs = other is not None and _own_output(other) != _own_output(seen)
    # Foreign code may meet another message for the same cause; then its claim says why.
    elsewhere = bool(program.claim.why) and bool(symptoms(seen, catalogue, set(catalogue.symptoms)))
    if not found and not elsewhere and not (silent and (failed or differs)):
        yield Reason(
            f"shows none of {', '.join(sorted(shown))}; it ends {_end(seen)}",
            "let it fail as its cause says, or say `why` it shows another symptom"
            + ("; or exit with an error where it notices what is wrong" if silent else ""),
        )
    elif not failed and not (silent and differs):
        # A notice is printed where all is well, too.
        errors = {name for name in found if catalogue.symptoms[name].kind is Kind.EXCEPTION}
        if not (errors and program.claim.why):
            yield Reason(
                f"shows {', '.join(sorted(found)) or 'a symptom'}, and ends as if nothing were wrong",
                "exit with an error where its goal is missed"
                + ("; or say `why` it goes on after the error that it prints" if errors else ""),
            )


def _own_output(seen: Observation) -> str:
    """What a program printed, without what libraries noted."""
    noted = {line.strip() for event in seen.events for line in event.text.splitlines()} - {""}
    return "\n".join(row for row in seen.output.splitlines() if not any(line in row for line in noted))


def _repaired(program: Program, seen: Observation, catalogue: Catalogue) -> Iterator[Reason]:
    yield from _unfit(seen)
    if exit_code(seen) != 0:
        yield Reason(
            f"the repaired copy does not reach its end: {_end(seen)}",
            f"apply the fix {program.claim.fix!r} properly; where it does not carry over, the entry is wrong",
        )
        return
    cause = catalogue.causes.get(program.claim.cause)
    raised = {
        item.id
        for item in (cause.shown() if cause else ())
        if catalogue.symptoms[item.id].kind is Kind.EXCEPTION
    }
    for name in sorted(symptoms(seen, catalogue, raised)):
        yield Reason(f"the repaired copy still shows {name!r}", "repair it where it comes from")


def _unfit(seen: Observation) -> Iterator[Reason]:
    """Ways to end that prove nothing."""
    if seen.outcome in ENDINGS and seen.outcome != "exited":
        told = ": ".join(filter(None, [ENDINGS[seen.outcome], seen.note]))
        yield Reason(told, "let the program come to its own end, quickly and alone")
    elif "asked the network" in seen.note:
        yield Reason(f"the program {seen.note}", "build the model from a config")


def exit_code(seen: Observation) -> int:
    """The exit status that a shell would show, 1 standing for any failure."""
    if seen.outcome == "passed":
        return 0
    found = _EXIT.search(seen.note) if seen.outcome == "exited" else None
    return 0 if found and found[1] in ("0", "None", "False") else 1


def _end(seen: Observation) -> str:
    last = next((event for event in reversed(seen.events) if event.kind == "exception"), None)
    if seen.outcome == "raised" and last is not None:
        return f"with {last.type}: {short(last.text)}"
    return f"{seen.outcome}" + (f" ({seen.note})" if seen.note else "")


@lru_cache(maxsize=4096)
def _template(text: str) -> Template:
    return Template(text)


def symptoms(seen: Observation, catalogue: Catalogue, names: set[str]) -> set[str]:
    """Which of some symptoms a run shows: in its events, or in what it printed of errors that it caught."""
    found = {item.symptom for event in seen.events if (item := recognise(event, catalogue))} & names
    for name in names - found:
        templates = [_template(wording.text) for wording in catalogue.symptoms[name].messages.values()]
        # A wording of one word, such as the key of a KeyError, may stand in any text.
        telling = [item for item in templates if " " in " ".join(item.literals).strip()]
        if any(item.find(seen.output) for item in telling):
            found.add(name)
    return found


def cells(catalogue: Catalogue, runs: Mapping[str, Runs]) -> dict[tuple[str, str], Verdict]:
    """Verdicts by key of the edition and name of the runs."""
    table = {}
    for name, item in runs.items():
        stack = catalogue.stacks.get(item.stack)
        for program in catalogue.programs.values():
            editions = program.editions()
            for edition in editions:
                seen = item.snippets.get(edition.key)
                other = next((item.snippets.get(one.key) for one in editions if one != edition), None)
                versions = versions_of(item, seen) if seen else dict(item.versions)
                verdict = judge(program, edition, seen, other, catalogue, versions, item.device)
                elsewhere = moved(catalogue, item, edition.key)
                if elsewhere and stack and obstacle(program, catalogue, stack.versions, item.device) is None:
                    verdict = Verdict(State.STALE, (elsewhere,))
                table[edition.key, name] = verdict
    return table
