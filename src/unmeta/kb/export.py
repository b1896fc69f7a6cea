"""The JSON form of entries: what the feed serves, the wheel ships and `unmeta show --json` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unmeta.address import entry_url
from unmeta.kb.change import change
from unmeta.kb.load import Catalogue
from unmeta.kb.model import Cause, Fact, Fix, Symptom, Trap
from unmeta.kb.snippets import broken_key, case_of_fact, cases_of_cause, way_key


def catalogue_data(catalogue: Catalogue, likely: Mapping[str, Sequence[Cause]]) -> dict[str, Any]:
    """Every entry, by kind, in order of ids; `likely` are the causes of each symptom in their order."""
    return {
        "causes": [_cause(catalogue, cause) for cause in catalogue.causes.values()],
        "symptoms": [_symptom(symptom, likely[symptom.id]) for symptom in catalogue.symptoms.values()],
        "facts": [_fact(catalogue, fact) for fact in catalogue.facts.values()],
    }


def _lean(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _lean(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_lean(item) for item in value]
    return value


def _cause(catalogue: Catalogue, cause: Cause) -> dict[str, Any]:
    data: dict[str, Any] = _lean(cause.model_dump(mode="json"))
    shown = data["symptoms"] + [item for face in data["faces"] for item in face["symptoms"]]
    for item in shown:
        symptom = catalogue.symptoms.get(item["id"])
        item["title"] = symptom.title if symptom else item["id"]
    ways: list[Fix | Trap] = [*cause.fixes, *cause.traps]
    for way, shown_way in zip(ways, [*data["fixes"], *data["traps"]], strict=True):
        shown_way |= _files(catalogue, cause, way, way.face)
        for item in shown_way.get("prints", ()):
            symptom = catalogue.symptoms.get(item["id"])
            item["title"] = symptom.title if symptom else item["id"]
    fixes = {fix.id: fix for fix in cause.fixes}
    for face in data["faces"]:
        face["holds"] = [
            {"id": name, "title": fixes[name].title, **_files(catalogue, cause, fixes[name], face["id"])}
            for name in face["holds"]
            if name in fixes
        ]
    return {"kind": "cause", "url": entry_url(cause.id), **data, "snippets": _snippets(catalogue, cause)}


def _files(catalogue: Catalogue, cause: Cause, way: Fix | Trap, face: str | None) -> dict[str, Any]:
    """A way's snippet, the one that it answers, and the change between both where there are two."""
    keys = {"snippet": way_key(cause.id, way, face), "broken": broken_key(cause.id, face)}
    before, after = (catalogue.snippets.get(keys[name]) for name in ("broken", "snippet"))
    if before is None or after is None:
        return keys
    found = change(before.text, after.text)
    return {**keys, "change": {"diff": found.diff, "code": found.code}}


def _snippets(catalogue: Catalogue, cause: Cause) -> dict[str, str]:
    keys = [case.key for case in cases_of_cause(cause)]
    return {key: catalogue.snippets[key].text for key in keys if key in catalogue.snippets}


def _symptom(symptom: Symptom, likely: Sequence[Cause]) -> dict[str, Any]:
    data: dict[str, Any] = _lean(symptom.model_dump(mode="json"))
    data["symptom_kind"] = data.pop("kind")
    causes = []
    for cause in likely:
        clues = [clue for shown in cause.shown() if shown.id == symptom.id for clue in shown.clues]
        asks = list(dict.fromkeys(clue.ask for clue in clues if clue.ask))
        fix = cause.fixes[0].title if cause.fixes else ""
        causes.append(
            {"id": cause.id, "title": cause.title, "area": cause.area.value, "fix": fix, "asks": asks}
        )
    return {"kind": "symptom", "url": entry_url(symptom.id), **data, "causes": causes}


def _fact(catalogue: Catalogue, fact: Fact) -> dict[str, Any]:
    key = case_of_fact(fact).key
    snippets = {key: catalogue.snippets[key].text} if key in catalogue.snippets else {}
    return {
        "kind": "fact",
        "url": entry_url(fact.id),
        **_lean(fact.model_dump(mode="json")),
        "snippets": snippets,
    }
