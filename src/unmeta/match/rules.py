"""Rules that need the matcher: templates are well formed, near misses miss, rivals are told apart."""

from __future__ import annotations

from collections.abc import Iterator

from unmeta.kb.check import Rule, at
from unmeta.kb.findings import Finding
from unmeta.kb.load import Catalogue
from unmeta.kb.model import Shown
from unmeta.match.template import Template, fold


def templates_parse(catalogue: Catalogue) -> Iterator[Finding]:
    """Every wording is a template: holes are named, braces balanced, some text is literal."""
    for name, symptom in catalogue.symptoms.items():
        for wording, message in symptom.messages.items():
            problem = _problem(message.text)
            if problem:
                yield at(
                    catalogue,
                    "symptoms",
                    name,
                    ("messages", wording),
                    "bad-template",
                    problem,
                    "write {hole} for what varies and {{ }} for literal braces",
                )


def _problem(text: str) -> str | None:
    try:
        template = Template(text)
    except ValueError as error:
        return str(error)
    return None if template.weight >= 8 else f"only {template.weight} literal characters in {text!r}"


def near_misses_miss(catalogue: Catalogue) -> Iterator[Finding]:
    """A near miss matches no wording of its symptom, neither whole nor within a longer text."""
    for name, symptom in catalogue.symptoms.items():
        for index, text in enumerate(symptom.near_misses):
            for wording, message in symptom.messages.items():
                if not _problem(message.text) and Template(message.text).find(text):
                    yield at(
                        catalogue,
                        "symptoms",
                        name,
                        ("near_misses", index),
                        "near-miss-matches",
                        f"the near miss matches the wording {wording!r}",
                        "make the template more literal, or choose a text that only looks alike",
                    )


def wordings_differ(catalogue: Catalogue) -> Iterator[Finding]:
    """No two symptoms have one wording: a paste could not tell them apart."""
    seen: dict[str, str] = {}
    for name, symptom in catalogue.symptoms.items():
        for wording, message in symptom.messages.items():
            key = fold(message.text)
            owner = seen.setdefault(key, name)
            if owner != name:
                yield at(
                    catalogue,
                    "symptoms",
                    name,
                    ("messages", wording),
                    "same-wording",
                    f"{owner!r} has the same wording",
                    "keep it in one symptom; causes share symptoms",
                )


def noise_hides_nothing(catalogue: Catalogue) -> Iterator[Finding]:
    """A message that the judge passes over is no symptom."""
    for noise in catalogue.noise:
        for name, symptom in catalogue.symptoms.items():
            for wording, message in symptom.messages.items():
                if symptom.kind == noise.kind and not _problem(message.text):
                    hides = Template(noise.text).match(message.text) is not None
                    if hides or Template(message.text).match(noise.text) is not None:
                        yield Finding(
                            "kb/noise.toml",
                            1,
                            "noise-hides",
                            f"{noise.text!r} is the wording {wording!r} of {name!r}",
                            "a symptom is never noise: claim it in the entries that show it",
                        )


def rivals_are_told_apart(catalogue: Catalogue) -> Iterator[Finding]:
    """Of two causes that share a symptom, one has a clue that the other lacks."""
    first: dict[tuple[str, frozenset[str]], str] = {}
    for cause in catalogue.causes.values():
        shown: dict[str, list[Shown]] = {}
        for item in cause.shown():
            shown.setdefault(item.id, []).append(item)
        for symptom, items in shown.items():
            if any(item.tells == "alone" for item in items):
                continue
            rival = first.setdefault((symptom, _clues(items)), cause.id)
            if rival != cause.id:
                yield at(
                    catalogue,
                    "causes",
                    cause.id,
                    (),
                    "not-told-apart",
                    f"its clues for {symptom!r} are those of {rival!r}",
                    "add a function of the traceback, an earlier message or a question that differs",
                )


def _clues(shown: list[Shown]) -> frozenset[str]:
    return frozenset(repr((clue.key, clue.value)) for item in shown for clue in item.clues)


MATCH_RULES: tuple[Rule, ...] = (
    templates_parse,
    near_misses_miss,
    wordings_differ,
    noise_hides_nothing,
    rivals_are_told_apart,
)
