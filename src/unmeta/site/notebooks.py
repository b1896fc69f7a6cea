"""Each cause as a notebook whose outputs are what a run recorded; nothing is executed here.

Cells are plain dictionaries: nbformat's own constructors validate each of them against the whole schema, and
that takes longer than all the rest. A test validates what comes out.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from unmeta.kb.model import Cause
from unmeta.kb.runs import Event, Observation, traceback_text
from unmeta.kb.snippets import Case, Role
from unmeta.site.links import each_link
from unmeta.site.pages import Site
from unmeta.site.text import bare, plain, prose, visible

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook(site: Site, cause: Cause) -> str:
    """A cause's scripts in page order, each with its recorded output, as `.ipynb` text."""
    page = f"{site.source.base}e/{cause.id}/"
    cells = [
        _markdown(
            cause.id,
            f"# {plain(cause.title)}\n\n{prose(_unlinked(site, cause.summary))}\n\n"
            f"The outputs below are recorded{_where(site, cause)}. Run every cell in a fresh kernel and "
            f"an empty folder. [The whole entry]({page})",
        )
    ]
    for case in site.proof.cases(cause.id):
        snippet = site.catalogue.snippets.get(case.key)
        if snippet is None:
            continue
        observation = site.proof.reference(case.key)
        cells += [
            _markdown(f"{case.key}#", _heading(site, cause, case)),
            {
                "cell_type": "code",
                "execution_count": None,
                "id": _id(case.key),
                "metadata": {},
                "outputs": outputs(observation) if observation else [],
                "source": snippet.text.strip(),
            },
        ]
    metadata = {**METADATA, "title": bare(cause.title)}
    result = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(result, ensure_ascii=False, indent=1) + "\n"


def outputs(observation: Observation) -> list[dict[str, Any]]:
    """What a run printed, in order, as notebook outputs."""
    found: list[dict[str, Any]] = []
    if observation.output:
        found.append(_stream("stdout", visible(observation.output)))
    for event in observation.events:
        if event.kind == "exception":
            found.append(_error(event))
            continue
        told = event.text if event.kind == "log" else f"{event.origin}: {event.type}: {event.text}"
        told = visible(told)
        if found and found[-1].get("name") == "stderr":
            found[-1]["text"] += _ended(told)
        else:
            found.append(_stream("stderr", told))
    return found


def _stream(name: str, text: str) -> dict[str, Any]:
    return {"name": name, "output_type": "stream", "text": _ended(text)}


def _error(event: Event) -> dict[str, Any]:
    lines = visible(traceback_text(event)).splitlines()
    return {"ename": event.type, "evalue": event.text, "output_type": "error", "traceback": lines}


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _markdown(key: str, source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": _id(key), "metadata": {}, "source": source}


def _id(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:8]


def _unlinked(site: Site, text: str) -> str:
    """Prose whose links to entries lead to the published site: a notebook travels alone."""

    def link(match: re.Match[str]) -> str:
        target = site.linker.known.get(match["id"])
        if target is None:
            return str(match["text"] or match["id"])
        return f"[{plain(match['text'] or target.title)}]({site.source.base}e/{target.id}/)"

    return each_link(text, link)


def _where(site: Site, cause: Cause) -> str:
    cases = site.proof.cases(cause.id)
    observation = next((found for case in cases if (found := site.proof.reference(case.key))), None)
    if observation is None:
        return ", once a run has been made"
    versions = ", ".join(
        f"{name} {observation.versions[name]}"
        for name in ("python", "torch", "transformers", "accelerate")
        if name in observation.versions
    )
    day = f" on {observation.date[:10]}" if observation.date else ""
    return f"{day} with {versions}" if versions else day


def _heading(site: Site, cause: Cause, case: Case) -> str:
    title = f"## {plain(site.case_heading(cause, case))}"
    if case.role is Role.BROKEN:
        return title
    ways = cause.fixes if case.role is Role.FIX else cause.traps
    way = next(item for item in ways if item.id == case.name)
    return f"{title}\n\n{prose(_unlinked(site, way.why))}"
