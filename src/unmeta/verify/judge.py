"""Does an observation show what the entry claims? Pure functions; the answer is a verdict with reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from unmeta.kb.evidence import Reason, edited
from unmeta.kb.load import Catalogue
from unmeta.kb.model import PACKAGES, Kind, Symptom, inside
from unmeta.kb.parts import CODE, GOAL, statements
from unmeta.kb.runs import Event, Observation
from unmeta.kb.snippets import WRONG_RESULT, Case, Role
from unmeta.match.template import Template, best

_SENTENCE_END = re.compile(r"[.!?](?= |$)")


class State(StrEnum):
    """What a cell of the table says."""

    HOLDS = "holds"
    FAILS = "does-not-hold"
    NOT_RUN = "not-run"
    STALE = "stale"


@dataclass(frozen=True)
class Verdict:
    """A cell: its state and why; a claim that holds has no reasons."""

    state: State
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Recognised:
    """A symptom recognised in an event: its id and the name of the wording."""

    symptom: str
    wording: str


@lru_cache(maxsize=4096)
def _template(text: str) -> Template:
    return Template(text)


def recognise(event: Event, catalogue: Catalogue) -> Recognised | None:
    """The symptom that an event shows, by kind, type and its most telling wording; None for none."""
    key = ("recognise", event.kind, event.type, event.text)
    if key not in catalogue.memo:
        catalogue.memo[key] = _recognised(event, catalogue)
    known: Recognised | None = catalogue.memo[key]
    return known


def _recognised(event: Event, catalogue: Catalogue) -> Recognised | None:
    wordings = {
        (symptom.id, name): _template(wording.text)
        for symptom in catalogue.symptoms.values()
        if _same_kind(symptom, event)
        for name, wording in symptom.messages.items()
    }
    found = best(wordings, event.text)
    return Recognised(*found) if found else None


def is_noise(event: Event, catalogue: Catalogue) -> bool:
    """Whether an event is one of the messages of `kb/noise.toml`."""
    return any(
        noise.kind == event.kind and _template(noise.text).match(event.text) is not None
        for noise in catalogue.noise
    )


def _same_kind(symptom: Symptom, event: Event) -> bool:
    if symptom.kind != event.kind:
        return False
    if event.kind == "log" or not symptom.type:
        return True
    names = {event.type, event.type.rpartition(".")[2]}
    return any(wanted in names or wanted.rpartition(".")[2] in names for wanted in symptom.type)


def obstacle(case: Case, versions: Mapping[str, str], device: str) -> Reason | None:
    """Why a case cannot be run or claims nothing here; None where it can."""
    for package, wanted in case.needs.packages.items():
        if not inside({package: wanted}, versions):
            has = f"{package} {versions[package]}" if package in versions else f"no {package}"
            return Reason(f"needs {package} {wanted}; here is {has}")
    for package in case.applies:
        if package not in versions:
            return Reason(f"is about {package}; here is no {package}")
    wanted_device = case.needs.device
    if wanted_device and wanted_device != device:
        return Reason(f"needs {wanted_device}; this run uses {device}", f"run with --device {wanted_device}")
    if case.role is not Role.BROKEN and not inside(case.applies, versions):
        return Reason(f"outside `applies` ({_ranges(case.applies)})")
    return None


def judge(
    case: Case,
    observation: Observation | None,
    catalogue: Catalogue,
    versions: Mapping[str, str],
    device: str = "cpu",
) -> Verdict:
    """Compare one observation, made with `versions` on `device`, with the claim of its entry."""
    snippet = catalogue.snippets.get(case.key)
    if snippet is None:
        cause = catalogue.causes.get(case.owner) if case.role is not Role.FACT else None
        if cause is not None and cause.unproved:
            return Verdict(State.NOT_RUN, (Reason(f"unproved: {cause.unproved}"),))
        reason = Reason(
            f"snippets/{case.key} does not exist",
            "write it, rename the file that should be it, or remove the claim from the entry",
        )
        return Verdict(State.FAILS, (reason,))
    blocked = obstacle(case, versions, device)
    if blocked:
        return Verdict(State.NOT_RUN, (blocked,))
    if observation is None:
        return Verdict(State.NOT_RUN, (Reason("never run here", f"pytest snippets/{case.key} --record"),))
    if changed := edited(snippet, observation):
        return Verdict(State.STALE, (changed,))
    library = absent(observation, versions)
    if library:
        remedy = f"say so in `needs`: {{{library}: ...}}"
        reason = Reason(f"imports {library}; here is no {library}", remedy)
        return Verdict(State.NOT_RUN, (reason,))
    reasons = tuple(_reasons(case, observation, catalogue, versions))
    return Verdict(State.FAILS if reasons else State.HOLDS, reasons)


def absent(observation: Observation, versions: Mapping[str, str]) -> str | None:
    """A library of the catalogue that the script asked for in vain: then nothing was tried."""
    last = observation.events[-1] if observation.events else None
    if observation.outcome != "raised" or last is None or last.type != "ModuleNotFoundError":
        return None
    for package in PACKAGES:
        module = package.replace("-", "_")
        if package not in versions and f"No module named '{module}" in last.text:
            return package
    return None


def _reasons(
    case: Case, observation: Observation, catalogue: Catalogue, versions: Mapping[str, str]
) -> Iterator[Reason]:
    snippet = catalogue.snippets[case.key]
    if snippet.misplaced is not None:
        yield Reason(
            f"line {snippet.misplaced.line}: {snippet.misplaced}",
            "write the markers once each, at the start of a line, between statements",
        )
        return
    if case.role is not Role.FACT and snippet.parts.goal_line is None:
        yield Reason(
            f"the snippet has no line `{GOAL}`",
            "end it with the goal that broken.py misses and every fix reaches",
        )
        return
    if (
        case.role is not Role.FACT
        and snippet.tree is not None
        and not statements(snippet.tree, snippet.parts, "goal")
    ):
        yield Reason("nothing stands below `# goal`", "assert there what the reader wanted")
        return
    if case.role is Role.BROKEN and not inside(case.applies, versions):
        if not list(_broken(case, observation, catalogue, versions)):
            yield Reason(
                f"shows the cause on {_ranges(versions)}, outside `applies` ({_ranges(case.applies)})",
                "widen `applies` in the entry",
            )
        return
    if case.role is Role.BROKEN:
        yield from _broken(case, observation, catalogue, versions)
    elif case.role is Role.TRAP:
        yield from _trap(case, observation, catalogue, versions)
    else:
        yield from _clean(case, observation, catalogue, versions)


def _ranges(ranges: Mapping[str, str]) -> str:
    return ", ".join(f"{package} {wanted}" for package, wanted in ranges.items())


ENDINGS = {
    "exited": "the script ended itself",
    "crashed": "the interpreter died",
    "timed-out": "the script did not end in time",
    "out-of-memory": "the script took more memory than a run may",
    "flooded": "the script printed more than a run may",
    "left-processes": "the script left processes behind",
    "forged": "the script wrote into its own record",
}


def _unfit(case: Case, observation: Observation) -> Iterator[Reason]:
    """Ways to end that prove nothing, whatever is claimed."""
    if observation.outcome in ENDINGS:
        told = ": ".join(filter(None, [ENDINGS[observation.outcome], observation.note]))
        yield Reason(told, "let the script come to its own end, quickly and alone")
    elif "asked the network" in observation.note:
        yield Reason(
            f"the script {observation.note}; snippets run without a network",
            "build the model from a config, or write the files it reads into the working folder first",
        )
    name = case.key.rpartition("/")[2]
    for event in observation.events:
        if event.kind == "exception":
            own = case.role is not Role.FACT and event is not _goal_failure(observation)
            if own and (last := _inner(event)) is not None:
                yield Reason(
                    f"the snippet raised {event.type} by itself, in line {last[0]}: {last[1]}",
                    "remove that line; the error must come from the library",
                )
            elif not event.chain[-1].frames and event.type == "SyntaxError":
                yield Reason(f"the snippet is not Python: {event.text}", "mend the syntax")
        elif event.origin == name:
            yield Reason(
                f"the snippet printed the {event.kind} by itself: {short(event.text)}",
                "remove that line; warnings and log records must come from the library",
            )


# Library code that raises what it was given: an error that starts here was made by someone else.
_RELAYS = ("concurrent/futures/", "asyncio/", "multiprocessing/", "unittest/", "torch/futures/")


def _inner(event: Event) -> tuple[int, str] | None:
    """Line and code where the snippet itself raised an exception; None where a library did."""
    for raised in event.chain:
        frame = raised.frames[-1] if raised.frames else None
        if frame is not None and frame.library and frame.file.startswith(_RELAYS):
            caller = next((item for item in reversed(raised.frames) if not item.library), frame)
            return caller.line, f"an error handed over through {frame.file}"
        if frame is None or frame.library:
            continue
        asserted = raised.type == "AssertionError" and frame.code.startswith(("assert ", "assert("))
        if asserted or frame.code.startswith(("raise ", "raise(")) or ".throw(" in frame.code:
            return frame.line, frame.code
        if frame.file == "<string>":
            return frame.line, "code of exec()"
    return None


def _goal_failure(observation: Observation) -> Event | None:
    """The assertion of the goal that failed, which is no symptom but the proof of a silent one."""
    if observation.outcome != "missed":
        return None
    failed = [event for event in observation.events if event.kind == "exception" and event.phase == "goal"]
    return failed[-1] if failed else None


def _sequence(
    observation: Observation, catalogue: Catalogue
) -> tuple[list[tuple[Recognised, Event]], list[Event]]:
    """Distinct symptoms in the order they first came, and the events that are no symptom."""
    shown: dict[str, tuple[Recognised, Event]] = {}
    unknown: list[Event] = []
    goal_failure = _goal_failure(observation)
    for event in observation.events:
        if event is goal_failure or is_noise(event, catalogue):
            continue
        seen = recognise(event, catalogue)
        if seen is None:
            unknown.append(event)
        else:
            shown.setdefault(seen.symptom, (seen, event))
    return list(shown.values()), unknown


def _broken(
    case: Case, observation: Observation, catalogue: Catalogue, versions: Mapping[str, str]
) -> Iterator[Reason]:
    yield from _unfit(case, observation)
    yield from _too_early(case, observation, catalogue)
    shown, unknown = _sequence(observation, catalogue)
    claimed = [item.id for item in case.shows]
    silent = [name for name in claimed if _kind(name, catalogue) is Kind.SILENT]
    printed = [name for name in claimed if name not in silent]
    seen = [item.symptom for item, _ in shown]
    for event in unknown:
        yield _unknown(event, catalogue)
    for item, event in shown:
        if item.symptom not in printed:
            yield Reason(
                f"shows {item.symptom!r} ({event.kind}), not claimed: {short(event.text)}",
                "add it to `symptoms` in its order, or change the snippet so that it is not printed",
            )
        yield from _out_of_range(item, event, catalogue, versions)
    for name in printed:
        if name not in seen:
            yield Reason(
                f"does not show {name!r}, which the entry claims",
                "mend the snippet, correct `symptoms`, or add the new wording to the symptom",
            )
    both = [name for name in seen if name in printed]
    if not set(printed) - set(seen) and both != printed:
        yield Reason(
            f"shows {' → '.join(both)}; the entry claims {' → '.join(printed)}",
            "put `symptoms` into the order of the run",
        )
    if observation.outcome == "passed":
        yield Reason("reaches its goal: nothing is broken here", "make the goal show what the reader loses")
    elif silent and observation.outcome == "raised":
        yield Reason(
            f"raises, where {silent[-1]!r} means that nothing is raised before the goal fails",
            "claim the exception, or mend the snippet",
        )
    elif not silent and observation.outcome == "missed":
        yield Reason(
            f"runs to the goal and fails there, where {claimed[-1]!r} should have ended it",
            "claim a silent symptom as the last one, or mend the snippet",
        )


def _too_early(case: Case, observation: Observation, catalogue: Catalogue) -> Iterator[Reason]:
    """An exception in the stage: then nothing that a reader would have was reached."""
    divided, name = catalogue.snippets[case.key].parts, case.key.rpartition("/")[2]
    if observation.outcome != "raised" or divided.code_line is None:
        return
    for frame in observation.events[-1].chain[-1].frames if observation.events[-1:] else ():
        if frame.file == name and frame.function == "<module>" and divided.of(frame.line) == "stage":
            yield Reason(
                f"ends in its stage, in line {frame.line}: {frame.code}",
                f"move `{CODE}` up, above that line, here and in the fixes and traps of this face",
            )


def _trap(
    case: Case, observation: Observation, catalogue: Catalogue, versions: Mapping[str, str]
) -> Iterator[Reason]:
    yield from _unfit(case, observation)
    shown, unknown = _sequence(observation, catalogue)
    for event in unknown:
        if event.kind != "exception" or case.ends == WRONG_RESULT:
            yield _unknown(event, catalogue)
    for item, event in shown:
        yield from _out_of_range(item, event, catalogue, versions)
    if observation.outcome == "passed":
        yield Reason(
            "reaches the goal: the advice works here",
            "make it a fix, or narrow `needs` to where it does not work",
        )
        return
    ends = case.ends or WRONG_RESULT
    if ends == WRONG_RESULT or _kind(ends, catalogue) is Kind.SILENT:
        if observation.outcome == "raised":
            yield Reason(
                f"ends in {_last(observation, catalogue)}; the entry claims `ends: {ends}`",
                "write the symptom it ends in as `ends`",
            )
        return
    told = [event for event in observation.events if not is_noise(event, catalogue)]
    told = [event for event in told if event is not _goal_failure(observation)]
    last = recognise(told[-1], catalogue) if told else None
    if _kind(ends, catalogue) is Kind.EXCEPTION and observation.outcome != "raised":
        yield Reason(
            f"runs to the goal and fails there; the entry claims `ends: {ends}`",
            f"write `ends: {WRONG_RESULT}`",
        )
    elif (last is None or last.symptom != ends) and observation.outcome in ("raised", "missed"):
        yield Reason(
            f"ends in {_last(observation, catalogue)}; the entry claims `ends: {ends}`",
            "correct `ends`, or mend the snippet",
        )


def _clean(
    case: Case, observation: Observation, catalogue: Catalogue, versions: Mapping[str, str]
) -> Iterator[Reason]:
    what = "the fix" if case.role is Role.FIX else "the fact"
    yield from _unfit(case, observation)
    if observation.outcome == "missed":
        yield Reason(
            f"{what} reaches the goal and fails there", "mend the snippet, or withdraw the entry's claim"
        )
    claimed = {item.id for item in case.prints if inside(item.applies, versions)}
    printed: set[str] = set()
    for event in observation.events:
        own = event is _goal_failure(observation) or event.origin == case.key.rpartition("/")[2]
        if own or is_noise(event, catalogue):
            continue
        if case.role is Role.FACT and event.type == "AssertionError" and (failed := _inner(event)):
            yield Reason(
                f"the fact does not hold here: line {failed[0]}: {failed[1]}",
                "correct the statement, or narrow `applies`",
            )
            continue
        seen = recognise(event, catalogue)
        if seen is not None and event.kind != "exception":
            if seen.symptom in claimed:
                printed.add(seen.symptom)
                yield from _out_of_range(seen, event, catalogue, versions)
                continue
            if any(item.id == seen.symptom for item in case.prints):
                yield Reason(
                    f"{what} prints {seen.symptom!r} on {_ranges(versions)}, outside its `applies`",
                    "widen `applies` of that item of `prints`",
                )
                continue
        verb = "ends in" if event.kind == "exception" else "prints"
        name = f"{seen.symptom!r}: " if seen else ""
        yield Reason(
            f"{what} {verb} {name}{event.type}: {short(event.text)}",
            "change the snippet, or name the symptom under `prints` where it is harmless and expected"
            if event.kind != "exception"
            else f"{what} must run without an error; change the snippet",
        )
    if observation.outcome == "passed":
        for name in sorted(claimed - printed):
            if _printable(name, catalogue, versions):
                yield Reason(
                    f"{what} does not print {name!r}, which stands under `prints`",
                    "remove it there, or narrow its `applies`",
                )
    if observation.outcome == "passed" and case.role is Role.FIX and not observation.goal_reached:
        yield Reason("the script ended before its goal", "let it run to the end")


def _printable(name: str, catalogue: Catalogue, versions: Mapping[str, str]) -> bool:
    """Whether any wording of a symptom exists in these versions."""
    symptom = catalogue.symptoms.get(name)
    return symptom is not None and any(
        not list(wording.beyond(versions)) for wording in symptom.messages.values()
    )


def _kind(name: str, catalogue: Catalogue) -> Kind | None:
    symptom = catalogue.symptoms.get(name)
    return symptom.kind if symptom else None


def _last(observation: Observation, catalogue: Catalogue) -> str:
    for event in reversed(observation.events):
        seen = recognise(event, catalogue)
        return repr(seen.symptom) if seen else f"{event.type}: {short(event.text)}"
    return observation.outcome


def _unknown(event: Event, catalogue: Catalogue) -> Reason:
    near = [
        f"{symptom.id!r} ({symptom.kind}{' ' + ' or '.join(symptom.type) if symptom.type else ''})"
        for symptom in catalogue.symptoms.values()
        if best({name: _template(item.text) for name, item in symptom.messages.items()}, event.text)
    ]
    if near:
        remedy = f"the text is that of {', '.join(near)}: correct its `kind` or `type`"
    elif event.type in ("ModuleNotFoundError", "ImportError"):
        remedy = "mend the import, or say under `needs` which package and release the snippet takes"
    elif event.kind == "exception":
        remedy = "add this wording to a symptom, or mend the snippet"
    else:
        remedy = "change the snippet so that it is not printed, or claim it as a symptom"
    where = f" of {event.origin}" if event.origin else ""
    return Reason(f"the {event.kind}{where} is no known symptom: {event.type}: {short(event.text)}", remedy)


def _out_of_range(
    item: Recognised, event: Event, catalogue: Catalogue, versions: Mapping[str, str]
) -> Iterator[Reason]:
    """A wording outside the releases it is said to belong to."""
    wording = catalogue.symptoms[item.symptom].messages[item.wording]
    text = f"the {event.kind} has wording {item.wording!r} of kb/symptoms/{item.symptom}.yaml, said to exist"
    for bound, package, release in wording.beyond(versions):
        yield Reason(f"{text} {bound} {package} {release}; this is {versions[package]}", f"correct `{bound}`")


def short(text: str, width: int = 160) -> str:
    """A text in one line, cut after the sentence that reaches beyond `width`, or where that is very long."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    end = _SENTENCE_END.search(line, width - 1, 3 * width)
    if end is None:
        return line if len(line) <= 3 * width else line[: width - 1] + "…"
    return line[: end.end()] + (" …" if end.end() < len(line) else "")


def claim_lines(case: Case, catalogue: Catalogue) -> Sequence[str]:
    """What the entry claims of a snippet, in words, for a report beside the observation."""
    if case.role in (Role.FIX, Role.FACT):
        harmless = [f"prints {item.id}" for item in case.prints]
        rest = (
            "no error, no other warning or log record" if harmless else "no error, no warning, no log record"
        )
        return [*harmless, rest, "reaches the goal" if case.role is Role.FIX else "runs to its end"]
    if case.role is Role.TRAP:
        ends = "fails at the goal" if case.ends == WRONG_RESULT else f"ends in {case.ends}"
        return ["does not reach the goal", ends]
    lines = []
    for shown in case.shows:
        kind = _kind(shown.id, catalogue)
        lines.append(f"{kind or 'unknown'}: {shown.id}")
    silent = case.shows and _kind(case.shows[-1].id, catalogue) is Kind.SILENT
    return [*lines, "fails at the goal" if silent else "ends there"]


def seen_lines(observation: Observation, catalogue: Catalogue) -> Sequence[str]:
    """What a run showed, in words, with the symptoms recognised."""
    lines = []
    for event in observation.events:
        seen = recognise(event, catalogue)
        name = seen.symptom if seen else f"{event.type}: {short(event.text)}"
        if seen is None and is_noise(event, catalogue):
            name += " (passed over: kb/noise.toml)"
        times = f" (×{event.count})" if event.count > 1 else ""
        line = f"{event.kind}: {name}{times}"
        if line not in lines:
            lines.append(line)
    goal = "goal reached" if observation.goal_reached else "goal not reached"
    return [*lines, f"{observation.outcome}, {goal}" + (f" ({observation.note})" if observation.note else "")]
