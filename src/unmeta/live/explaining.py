"""`explain(problem)`: texts go to the matcher; an exception is read where it happened, in its frames.

The frames of an exception still hold the model. What is on meta in it, and why, decides between causes that
end in the same message. Names and shapes are used; values and other locals are neither printed nor kept.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from unmeta.address import entry_url
from unmeta.live.states import EMPTY

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from unmeta.live.report import Report
    from unmeta.live.scene import Scene
    from unmeta.match import Answer

MAX_CAUSES = 8
FOUND = 40
"""What a finding is worth, in percent of a text's share."""
DECIDED = 10
"""How much more a cause weighs that one clue of the text decides."""
DOUBTED = frozenset({"offload-folder-reused", "offloaded-weight-changed"})
"""Causes that doctor also names in a note, where the model may be as its owner means it."""
OF_PROCESS = frozenset({"concurrent-from-pretrained", "default-device-leak", "overlapping-empty-init"})
"""Findings about the process, which hold whatever the model."""


def explain(problem: str | BaseException, answers: Mapping[str, bool] | None = None) -> Answer:
    """Rank the causes of a meta-tensor problem.

    `problem` is any text (a message, a traceback, a log, a sentence) or an exception. `answers` are True or
    False by the id of an open clue. For an exception, `answer["live"]` is what a look at the model found
    (None where no model was met). Texts never make it raise; a missing index does.
    """
    from unmeta.match import explain as explain_text
    from unmeta.match import reordered

    answer = explain_text(problem, answers)
    if isinstance(problem, BaseException):
        answer["live"] = None
        try:
            seen = see(problem)
        except Exception:  # what fails in ours must not hide the reader's error
            seen = Seen()
        if seen.report is not None:
            answer["live"] = _attributed(seen.report.to_dict(), type(answer))
        if "torch" in sys.modules:
            _rank(answer, seen)
            reordered(answer, problem, answers)
    return answer


@dataclass(frozen=True)
class Seen:
    """What a process tells beside the text of an exception.

    `state` is that of the model (see `unmeta.live.states`), None where it says nothing: nothing was found, or
    the model was still being loaded. `problems` are causes that doctor found, `doubts` those of its
    notes that may be meant, `sure` those which nothing else
    explains. `code` are causes whose pattern the program's own files show, `packages` those of
    the model's classes, `through` a cause that the functions on the way speak for, `distributed` whether
    the process is one of a distributed run, `as_built` whether layers hold the tensors that they were
    built with, and nothing was written into them.
    """

    report: Report | None = None
    state: str | None = None
    problems: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    sure: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    through: str | None = None
    distributed: bool = False
    as_built: bool = False


def see(error: BaseException) -> Seen:
    """Look at what an exception's frames hold, at the process, and at the program's own files."""
    from unmeta.live import met

    if "torch" not in sys.modules:
        return Seen()
    report, model = _looked(error)
    around = met.scene_of(error)
    building = met.is_building(error)
    found = report.findings if report is not None else ()
    telling = [item for item in found if item.level == "problem"]
    if building:  # what is not yet loaded is no finding
        telling = [item for item in telling if item.cause in OF_PROCESS]
    doubts = () if building else tuple(item.cause for item in found if item.cause in DOUBTED)
    state = state_of(report) if report is not None and found and not building and model is not None else None
    packages = (
        {type(part).__module__.partition(".")[0] for part in model.modules()} if model is not None else ()
    )
    return Seen(
        report,
        state,
        tuple(item.cause for item in telling),
        doubts,
        frozenset(item.cause for item in telling if item.sure),
        met.shown_by_code(error),
        frozenset(packages),
        _through(error, around, state),
        around.distributed,
        state == EMPTY and model is not None and _as_built(model),
    )


def look(error: BaseException) -> Report | None:
    """What `doctor` says of the model that an exception's frames hold; None where there is nothing to say."""
    return _looked(error)[0] if "torch" in sys.modules else None


def _looked(error: BaseException) -> tuple[Report | None, Any]:
    """The report on a model, and the model.

    Of several models the one with the first problem, else the first with a doubt, else the first; without
    one, what is wrong with the process.
    """
    from dataclasses import replace

    from unmeta.live.doctor import examine, process
    from unmeta.live.met import met, scene_of
    from unmeta.live.places import offloaded_names

    models = met(error)
    around = scene_of(error)
    first: tuple[Report, Any] | None = None
    doubted = False
    for found in models:
        others = [offloaded_names(other.model) for other in models if other is not found]
        beside = replace(around, offloaded=tuple(filter(None, others)))
        try:
            report = examine(
                found.model, found.name, found.state, found.optimizer, given=False, around=beside
            )
        except Exception:  # one that cannot be looked at must not hide the others
            continue
        if report.problems:
            return report, found.model
        doubts = any(item.cause in DOUBTED for item in report.findings)
        if first is None or (doubts and not doubted):
            first, doubted = (report, found.model), doubts
    if first is not None:
        return first
    report = process()
    return (report if report.findings else None), None


def _through(error: BaseException, around: Scene, state: str | None) -> str | None:
    """A cause that the functions on the way speak for, where no text does."""
    if around.splitting is not None:
        return around.splitting
    moved = around.went_through("torch.nn.modules.module", "to")
    if state == "offloaded" and moved and isinstance(error, NotImplementedError):
        return "wrapper-bypasses-dispatch-guard"  # a dispatched model's own to() refuses in its own words
    return None


def _as_built(model: Any) -> bool:
    from unmeta.live.counters import since_built
    from unmeta.live.places import held

    counts = since_built(held(model))
    return bool(counts) and not any(counts.values())


def _rank(answer: Answer, seen: Seen) -> None:
    """Order the causes by what the text says, the state of the model, what was found in it, and the code.

    A share of the text is weighed with how well the cause agrees with the process, as likelihoods are.
    """
    causes = {cause["id"]: cause for cause in answer["causes"]}
    shares = {name: cause.get("share") or 0 for name, cause in causes.items()}
    weights = weighed(shares, seen, next(iter(causes), None) if answer["verdict"] == "cause" else None)
    order = sorted(weights, key=lambda cause: -weights[cause])
    ranked = [causes.get(cause) or _entry(cause, answer) for cause in order]
    answer["causes"] = ranked[: max(MAX_CAUSES, len(answer["causes"]))]
    whole = sum(weights.values()) or 1
    for cause in answer["causes"]:
        cause["share"] = round(100 * weights[cause["id"]] / whole)
    if ranked and not answer["known"]:
        answer["known"], answer["verdict"], answer["why_not"] = True, "guess", None
        answer["says"] = "The text says little; the process that raised it shows these causes."


def weighed(shares: Mapping[str, float], seen: Seen, decided: str | None = None) -> dict[str, float]:
    """How much speaks for each cause: those of the text, and what the process adds.

    `decided` is the cause that one clue of the text decides: what the process knows may still outweigh it.
    """
    from unmeta.live.states import (
        GENERIC,
        HINTED,
        HOME,
        LOOKED_FOR,
        PACKAGES,
        SPLIT_RUNS,
        STATES,
        TOLD,
        UNLIKE_BUILT,
    )

    problems = seen.problems or (() if shares else seen.doubts)
    narrow = [cause for cause in problems if cause not in GENERIC or cause in seen.sure]
    weights = {}
    through = [seen.through] if seen.through is not None else []
    for cause in dict.fromkeys([*shares, *problems, *seen.code, *through]):
        weight = shares.get(cause, 0) + (0.5 if shares else 1)
        if cause == decided:
            weight *= DECIDED
        if cause in narrow:
            weight = (weight + FOUND) * (20 if cause == narrow[0] else 10)
        elif cause in problems:
            weight = (weight + 2) * 2
        elif cause in GENERIC and narrow:
            weight *= 0.3  # doctor knows something narrower
        if cause in seen.code and (cause in shares or cause not in HINTED or not shares):
            weight = (weight + FOUND / 2) * 4
        if seen.state is not None and cause not in narrow:
            states = STATES.get(cause, (seen.state,))
            home = HOME.get(cause, states)
            weight *= (
                1 / len(home) if seen.state in home else 0.25 / len(states) if seen.state in states else 0.002
            )
            if cause in LOOKED_FOR and cause not in problems:
                weight *= 0.1
            if cause not in problems and PACKAGES.get(cause, "") not in ("", *seen.packages):
                weight *= 0.05
        if cause in SPLIT_RUNS and cause not in (*problems, *through):
            weight *= 3 if seen.distributed else 0.05
        if cause in UNLIKE_BUILT and seen.as_built:
            weight *= 0.05
        if cause in TOLD:
            weight *= 0.3
        if cause == seen.through:
            weight = (weight + FOUND / 2) * 5
        weights[cause] = weight
    return weights


def state_of(report: Report) -> str:
    """The state of `unmeta.live.states` that a report describes."""
    causes = {finding.cause for finding in report.findings}
    on_meta, tensors = report.counts.get("on meta", 0), report.counts.get("tensors", 0)
    if causes & {"fsdp-meta-init", "fsdp2-meta-init", "tensor-parallel-meta"}:
        return "split"
    if not on_meta:
        return "real"
    # An adapter beside offloaded weights, or hooks that find nothing, make no other state of it.
    beside = {"adapter-left-on-meta", "offload-folder-reused"}
    apart = {name for item in report.findings if item.cause in beside for name in item.tensors}
    offloaded = report.counts.get("offloaded", 0)
    if offloaded == on_meta or (apart and offloaded + len(apart) >= on_meta):
        return "offloaded"
    empty = "empty-init-never-loaded" in causes or on_meta == tensors
    return "empty" if empty else "partly"


def _attributed(value: Any, kind: type[Answer]) -> Any:
    """The same with attributes, at every depth."""
    if isinstance(value, dict):
        return kind({key: _attributed(item, kind) for key, item in value.items()})
    return [_attributed(item, kind) for item in value] if isinstance(value, list) else value


def _entry(cause: str, answer: Answer) -> Answer:
    """A cause that the text alone did not name, in the form of the others."""
    return type(answer)(
        {
            "id": cause,
            "title": _title(cause),
            "url": entry_url(cause),
            "score": 0.0,
            "share": 0,
            "yes": [],
            "no": [],
            "open": [],
        }
    )


def _title(cause: str) -> str:
    """Title of an entry; its id in words where the entries are not there."""
    from unmeta.match.entries import load

    try:
        return str(load()[cause]["title"])
    except (OSError, KeyError, ImportError, ValueError):
        return cause.replace("-", " ")
