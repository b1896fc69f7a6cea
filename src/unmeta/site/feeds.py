"""The catalogue for machines: JSON, an Atom feed, `llms.txt` and the matcher's index."""

from __future__ import annotations

import json
from typing import Any

from unmeta.kb.export import catalogue_data
from unmeta.kb.model import Cause
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
        "assets/unmeta-index.js": index_script(site),
        "manifest.webmanifest": manifest(),
        search.FILE: search.search_script(site),
    }


def index_script(site: Site) -> str:
    """The matcher's index, and the title of each cause's best fix, as a script that works from a disk."""
    fixes = {name: cause.fixes[0].title for name, cause in site.catalogue.causes.items() if cause.fixes}
    return (
        f"globalThis.UNMETA_INDEX = {_script(site.source.index.strip())};\n"
        f"globalThis.UNMETA_FIXES = {_script(json.dumps(fixes, ensure_ascii=True))};\n"
    )


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
