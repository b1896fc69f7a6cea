"""`explain(problem)`: texts go to the matcher; an exception is read where it happened, in its frames.

The frames of an exception still hold the model. What is on meta in it, and why, decides between causes that
end in the same message. Names and shapes are used; values and other locals are neither printed nor kept.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from unmeta.live.report import Report
    from unmeta.match import Answer

MAX_MODULES = 50
MAX_CAUSES = 8
DECIDES = 50
"""Share in percent from which the text's own first cause stands before a generic finding."""


def explain(problem: str | BaseException, answers: Mapping[str, bool] | None = None) -> Answer:
    """Rank the causes of a meta-tensor problem.

    `problem` is any text (a message, a traceback, a log, a sentence) or an exception. `answers` are True or
    False by the id of an open clue. For an exception, `answer["live"]` is what a look at the model found
    (None where no model was met). Texts never make it raise; a missing index does.
    """
    from unmeta.match import explain as explain_text

    answer = explain_text(problem, answers)
    if isinstance(problem, BaseException):
        answer["live"] = None
        try:
            report = look(problem)
        except Exception:  # what fails in ours must not hide the reader's error
            report = None
        if report is not None:
            answer["live"] = _attributed(report.to_dict(), type(answer))
            _rank(answer, report)
    return answer


def look(error: BaseException) -> Report | None:
    """What `doctor` says of the model that an exception's frames hold; None where they hold none."""
    if "torch" not in sys.modules:
        return None
    from unmeta.live.doctor import examine

    found = _models(error)
    if not found:
        return None
    name, model = found[0]
    return examine(model, name, optimizer=_optimizer(error))


def _frames(error: BaseException) -> Iterator[Any]:
    """Frames of an exception and of those that led to it, the outermost of the newest first."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        trace = current.__traceback__
        while trace is not None:
            yield trace.tb_frame
            trace = trace.tb_next
        current = current.__cause__ or current.__context__


def _models(error: BaseException) -> list[tuple[str, Any]]:
    """Modules in the frames by their names there: those with meta tensors first, whole models first."""
    import torch

    from unmeta.live.places import is_meta

    found: dict[int, tuple[str, Any]] = {}
    for frame in _frames(error):
        for name, value in list(frame.f_locals.items()):
            for inner_name, inner in _opened(name, value):
                if isinstance(inner, torch.nn.Module) and not name.startswith("__"):
                    found.setdefault(id(inner), (inner_name, inner))
        if len(found) > MAX_MODULES:
            break
    inside = {id(child) for _, model in found.values() for child in list(model.modules())[1:]}
    roots = [entry for key, entry in found.items() if key not in inside]

    def order(entry: tuple[str, Any]) -> tuple[bool, int]:
        tensors = [*entry[1].parameters(), *entry[1].buffers()]
        return not any(is_meta(tensor) for tensor in tensors), -len(tensors)

    return sorted(roots, key=order)


def _opened(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A value, and the modules that a pipeline, trainer or wrapper holds one step below it."""
    yield name, value
    kind = type(value)
    if kind.__module__ in ("builtins", "types") or isinstance(value, type):
        return
    for attribute in ("model", "module", "pipe", "pipeline", "net", "unet", "transformer", "encoder"):
        inner = getattr(value, "__dict__", {}).get(attribute)
        if inner is not None:
            yield f"{name}.{attribute}", inner


def _optimizer(error: BaseException) -> Any:
    for frame in _frames(error):
        for value in list(frame.f_locals.values()):
            if hasattr(value, "param_groups") and hasattr(value, "zero_grad"):
                return value
    return None


def _rank(answer: Answer, report: Report) -> None:
    """Put causes that agree with the model's state first, and a narrow finding of the look before all."""
    from unmeta.live.states import GENERIC, LOOKED_FOR, STATES

    state = state_of(report)
    problems = [finding.cause for finding in report.problems]
    narrow = [cause for cause in problems if cause not in GENERIC]
    causes = {cause["id"]: cause for cause in answer["causes"]}
    absent = LOOKED_FOR - set(problems)
    fitting = [cause for cause in causes if state in STATES.get(cause, ()) and cause not in absent]
    first = [cause for cause in narrow if cause in causes] or narrow[:1]
    told = next((cause for cause in fitting if (causes[cause].get("share") or 0) >= DECIDES), None)
    if not first and told is None and state == "partly":
        first = problems  # what is left empty beside real weights says more than a guess from the text
    # A generic finding stands behind what the traceback tells of the same state.
    order = dict.fromkeys([*first, *fitting, *narrow, *problems, *causes])
    ranked = [causes.get(cause) or _entry(cause, answer) for cause in order]
    answer["causes"] = ranked[: max(MAX_CAUSES, len(answer["causes"]))]
    if problems or state == "offloaded":
        answer["known"] = True


def state_of(report: Report) -> str:
    """The state of `unmeta.live.states` that a report describes."""
    causes = {finding.cause for finding in report.findings}
    on_meta, tensors = report.counts.get("on meta", 0), report.counts.get("tensors", 0)
    if causes & {"fsdp-meta-init", "fsdp2-meta-init", "tensor-parallel-meta"}:
        return "split"
    if not on_meta:
        return "real"
    if report.counts.get("offloaded", 0) == on_meta:
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
            "url": f"e/{cause}/",
            "score": 0.0,
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
