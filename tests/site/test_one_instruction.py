"""What to do is said once: by a summary's first sentence, the change below it, and not by the trap."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.match.card import card, sentences, warning
from unmeta.match.likely import entries_of
from unmeta.match.result import result

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[A-Za-z_]{2,}")
LITTLE = {"after", "and", "before", "for", "from", "the", "this", "when", "with"}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT)


def _stems(text: str) -> set[str]:
    return {word.lower()[:4] for word in WORD.findall(text) if word.lower() not in LITTLE}


def test_a_summary_begins_with_what_the_first_fix_does(catalogue: Catalogue) -> None:
    apart = []
    for name, cause in catalogue.causes.items():
        first = next((fix for fix in cause.fixes if not fix.face), None)
        if first is None:
            continue
        told, wanted = _stems(sentences(cause.summary)[0]), _stems(first.title)
        if len(told & wanted) < len(wanted) / 3:
            apart.append(f"{name}: {sentences(cause.summary)[0]} / {first.title}")
    assert not apart


def test_the_sentence_that_says_why_asks_for_nothing(catalogue: Catalogue) -> None:
    verbs = {fix.title.split()[0] for cause in catalogue.causes.values() for fix in cause.fixes} | {"To"}
    asking = [
        f"{name}: {told[1]}"
        for name, cause in catalogue.causes.items()
        if len(told := sentences(cause.summary)) > 1 and told[1].split()[0] in verbs
    ]
    assert not asking


def test_a_trap_is_that_of_its_face_or_its_message_and_no_fix_of_it(catalogue: Catalogue) -> None:
    """Over all causes and faces, as a reader gets them who has only the last message."""
    data = entries_of(ROOT)
    cards = {entry["id"]: card(entry) for kind in ("causes", "symptoms") for entry in data[kind]}
    nothing: Any = SimpleNamespace(paste=SimpleNamespace(lines=[], frames=[], versions={}))
    shown = 0
    for name, cause in catalogue.causes.items():
        for face in cards[name]["faces"]:
            last = face["symptoms"][-1]
            first: dict[str, Any] = {"id": name, "title": cause.title, "url": f"e/{name}/", "share": 90}
            first |= {"yes": [], "no": [], "open": []}
            answer: dict[str, Any] = {"known": True, "causes": [first], "symptoms": [last]}
            answer |= {"seen": [], "verdict": "cause"}
            got = result({"clues": []}, nothing, answer, {}, cards.get, {}, {})
            assert got is not None
            anchor = f"#face-{got['face']}" if got["face"] else ""
            assert got["url"] == f"e/{name}/{anchor}"
            allowed = {trap["says"] for trap in cards[name]["traps"] if trap["face"] == got["face"]}
            if last in cards[name]["faces"][0]["symptoms"]:
                allowed |= {trap["says"] for trap in cards[name]["traps"] if not trap["face"]}
            assert got["trap"] in {*allowed, cards[last]["not"]}
            fixes = {fix["title"] for fix in cards[name]["fixes"] if fix["face"] == got["face"]}
            assert got["trap"].partition(". ")[0].rstrip(".") not in fixes
            shown += bool(got["trap"])
    assert shown > 100


def test_a_message_warns_without_saying_what_to_do_instead() -> None:
    told = "Do not follow the hint to `to_empty()` unless a checkpoint is loaded next: it puts memory in."
    assert warning(told) == "Follow the hint to `to_empty()` unless a checkpoint is loaded next."
    assert warning("Do not move the model, and do not train: wait.") == "Move the model, or train."
    assert warning("Do not ignore it: load with `assign=True`.") == ""  # of another sentence's thing
    assert warning("Drop the `.to()` and do not call `.cpu()`.") == ""
