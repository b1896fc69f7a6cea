"""The catalogue for machines: JSON, an Atom feed, `llms.txt` and the matcher's index."""

from __future__ import annotations

import json
from typing import Any

from unmeta.kb.export import catalogue_data
from unmeta.kb.model import Cause
from unmeta.match.card import card
from unmeta.match.proved import with_runs
from unmeta.site import search
from unmeta.site.offline import manifest
from unmeta.site.pages import Site

FORMAT = 1
FEED_LENGTH = 50


def feeds(site: Site) -> dict[str, str]:
    """Every file for machines, by path."""
    data = catalogue_data(site.catalogue, site.causes_of)
    entries = [entry for kind in ("causes", "symptoms", "facts") for entry in data[kind]]
    for entry in entries:
        entry["url"] = f"{site.source.base}e/{entry['id']}/"
        if entry["kind"] != "symptom":
            entry["proof"] = proof_data(site, entry["id"])
    whole = {"format": FORMAT, "url": site.source.base, "stacks": stacks_data(site), **data}
    return {
        "catalogue.json": _json(whole),
        **{
            f"e/{name}.json": _json({"format": FORMAT, **entry})
            for entry in entries
            for name in (*entry["aliases"], entry["id"])
        },
        "feed.xml": site.render("feed.xml.j2", "feed.xml", causes=newest(site)),
        "robots.txt": f"User-agent: *\nAllow: /\n\nSitemap: {site.source.base}sitemap.xml\n",
        "llms.txt": site.render("llms.txt.j2", "llms.txt"),
        "assets/unmeta-index.js": f"globalThis.UNMETA_INDEX = {_script(site.source.index.strip())};\n",
        "assets/unmeta-answers.js": answers_script(site, data["causes"], data["symptoms"]),
        "assets/unmeta-scripts.js": scripts_script(data["causes"]),
        "manifest.webmanifest": manifest(),
        search.FILE: search.search_script(site),
    }


def answers_script(site: Site, causes: list[dict[str, Any]], symptoms: list[dict[str, Any]]) -> str:
    """What an answer shows of each cause and message, and where fixes ran, as a script that works from a
    disk.
    """
    with_runs(causes, site.ran)
    cards = {entry["id"]: card(entry) for entry in (*causes, *symptoms)}
    data = {"cards": cards, "stacks": dict(site.releases)}
    return f"globalThis.UNMETA_ANSWERS = {_script(json.dumps(data, separators=(',', ':')))};\n"


def scripts_script(causes: list[dict[str, Any]]) -> str:
    """The scripts of the fixes, which few copy: a file of its own."""
    texts = {
        way["snippet"]: entry["snippets"][way["snippet"]]
        for entry in causes
        for way in (*entry["fixes"], *_held(entry))
        if way["snippet"] in entry["snippets"]
    }
    return f"globalThis.UNMETA_SCRIPTS = {_script(json.dumps(texts, separators=(',', ':')))};\n"


def _held(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [way for face in entry["faces"] for way in face["holds"]]


def proof_data(site: Site, entry: str) -> dict[str, dict[str, str]]:
    """State of every snippet of an entry on every stack."""
    return {
        case.key: {runs.name: site.proof.cell(case, runs.name).state for runs in site.columns}
        for case in site.proof.cases(entry)
    }


def stacks_data(site: Site) -> dict[str, dict[str, str]]:
    """Versions by stack: as recorded where it was run, else as declared."""
    declared = {stack.id: stack.versions for stack in site.catalogue.stacks.values()}
    return {**declared, **{runs.name: dict(runs.versions) for runs in site.columns}}


def newest(site: Site) -> list[tuple[Cause, str]]:
    """The causes of the feed with the day of their newest run; without a run there is no news."""
    dated = [(cause, site.proof.latest(cause.id)) for cause in site.catalogue.causes.values()]
    found = sorted(((cause, day) for cause, day in dated if day), key=lambda item: (item[1], item[0].id))
    return found[::-1][:FEED_LENGTH]


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _script(text: str) -> str:
    # JSON is JavaScript but for two line separators, and `</` would end an inline script.
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("</", "<\\/")
