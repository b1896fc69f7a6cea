"""From a pasted text to the causes that fit it.

`unmeta.match.explain(text)` and `UnmetaMatch.load(index).explain(text)` in
`docs/assets/javascripts/matcher.js` run the same index and give the same object:

    {
      "known": true,                      a meta problem was recognised
      "verdict": "cause",                 cause | symptom | guess | unlisted | look-alike | nothing
      "says": "One sentence for the person.",
      "symptoms": ["no-data-to-copy"],    ids, in the order of the paste
      "seen": [{"id", "title", "url", "wording", "line", "text"}],   line counts from 1, 0 where unknown
      "causes": [{"id", "title", "url", "score", "share",        best first; how likely each is, in per cent
                  "yes": [CLUE], "no": [CLUE], "open": [CLUE]}],     open clues are questions
      "why_not": null,                    {"id", "title", "says"} for a look-alike
      "next": {"says": "...", "code": "..."}                         what to run or paste next; null when sure
    }

`unmeta.match.explain` adds `result`: what is shown of it, with the change, see `unmeta.match.result`.

A CLUE is {"clue": "through", "id": "…", "says": "…", "line": 14, "text": "model.to(device)"}: the line of the
paste that says so, 0 where none does. An answer to a question is given back as
`explain(text, {clue_id: true | false})` and re-ranks. `url` is relative to the site's root.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # the module typing would cost a third of a cold start
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from unmeta.match.evidence import Evidence
    from unmeta.match.score import Matcher

    _Fields = dict[str, Any]
else:
    _Fields = dict

__all__ = ["Answer", "explain", "matcher", "reordered"]

_VERSIONED = ("torch", "transformers", "accelerate", "safetensors", "peft", "diffusers", "deepspeed")
_ready: list[Matcher] = []


class Answer(_Fields):
    """What `explain` found: a plain dictionary whose keys are attributes as well, at every depth."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *map(str, self)]

    def __repr__(self) -> str:
        """What `unmeta explain` prints; a part of an answer as the dictionary that it is."""
        if "verdict" not in self:
            return super().__repr__()
        from unmeta.match.shown import render
        from unmeta.terminal import Paper

        return render(self, Paper()).rstrip()

    def _repr_html_(self) -> str | None:
        if "verdict" not in self:
            return None
        from unmeta.match.shown import html

        return html(self)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists, as `unmeta explain --json` prints it."""
        plain: dict[str, Any] = _plain(self)
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _attributed(value: Any) -> Any:
    if isinstance(value, dict):
        return Answer({key: _attributed(item) for key, item in value.items()})
    return [_attributed(item) for item in value] if isinstance(value, list) else value


def matcher() -> Matcher:
    """The matcher of the packaged index, made once per process. Raises as `unmeta.match.index.load`."""
    if not _ready:
        from unmeta.match.index import load
        from unmeta.match.score import Matcher

        _ready.append(Matcher(load()))
    return _ready[0]


def explain(
    problem: str | BaseException,
    answers: Mapping[str, bool] | None = None,
    versions: Mapping[str, str] | None = None,
) -> Answer:
    """Rank the causes of a meta-tensor problem.

    `problem` is any text (a message, a traceback, a log, a sentence) or an exception, whose traceback and
    loaded packages are then read. `answers` are True or False by the id of an open clue. `versions` are
    what the fix should be told for where the text states none: by default what is installed here. Texts
    never make it raise; a missing index does, see `unmeta.match.index.load`.
    """
    text = problem if isinstance(problem, str) else _printed(problem)
    evidence = matcher().evidence(text)
    found = matcher().rank(evidence, answers)
    if not found["known"]:
        found = {**found, "causes": []}  # what is known to be nothing has no cause
    answer: Answer = _attributed({**found, "result": _result(evidence, found, answers or {}, versions)})
    return answer


def reordered(
    answer: Answer, problem: str | BaseException, answers: Mapping[str, bool] | None = None
) -> None:
    """Make `result` anew for an answer to that problem whose causes someone put into another order."""
    text = problem if isinstance(problem, str) else _printed(problem)
    answer["result"] = _attributed(_result(matcher().evidence(text), answer, answers or {}, None))


def _result(
    evidence: Evidence,
    answer: Mapping[str, Any],
    answers: Mapping[str, bool],
    versions: Mapping[str, str] | None,
) -> dict[str, Any] | None:
    from unmeta.match.card import card
    from unmeta.match.entries import load
    from unmeta.match.installed import installed
    from unmeta.match.result import TOLD, result

    if not answer["causes"]:
        return None
    try:
        entries = load()
    except (OSError, ImportError, ValueError):  # the causes stand without their changes
        return result(matcher().index, evidence, answer, answers, lambda _: None, {}, {})
    if versions is None:  # a text that states some may be of another machine
        versions = {} if any(name in evidence.paste.versions for name in TOLD) else installed()
    return result(
        matcher().index,
        evidence,
        answer,
        answers,
        lambda name: card(entries[name]) if name in entries else None,
        entries.stacks,
        versions,
    )


def _printed(error: BaseException) -> str:
    import traceback

    loaded = {name: getattr(sys.modules.get(name), "__version__", None) for name in _VERSIONED}
    versions = [f"{name}=={version}" for name, version in loaded.items() if version]
    return "".join(traceback.format_exception(error)) + "\n".join(versions)
