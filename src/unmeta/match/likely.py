"""The causes of a symptom, the likeliest first: the one order of pages, feeds and commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unmeta.kb import evidence
from unmeta.kb.export import catalogue_data
from unmeta.kb.load import Catalogue, load
from unmeta.kb.model import Cause
from unmeta.match.proved import ordered, ran, releases, with_runs
from unmeta.match.reported import Ending, endings


def causes_of(catalogue: Catalogue, ended: Mapping[str, Ending] | None = None) -> dict[str, list[Cause]]:
    """Causes by symptom: by reports that end in it, then by all reports, then by id.

    A cause counts where a snippet shows the symptom, and where public reports of it end in it. `ended`
    is what `endings(catalogue)` gives, where the caller has it already.
    """
    ended = endings(catalogue) if ended is None else ended
    reports = Counter(report.cause for report in catalogue.reports)
    found: dict[str, list[Cause]] = {name: [] for name in catalogue.symptoms}
    for cause in catalogue.causes.values():
        reported = [name for name, ending in ended.items() if cause.id in ending.fits]
        for name in dict.fromkeys([*(shown.id for shown in cause.shown()), *reported]):
            found.setdefault(name, []).append(cause)
    for name, causes in found.items():
        fits = ended[name].fits if name in ended else {}
        causes.sort(key=lambda cause: (-fits.get(cause.id, 0), -reports[cause.id], cause.id))
    return found


def entries_of(root: Path) -> dict[str, Any]:
    """The JSON form of a checkout's entries, with where their fixes ran, and the versions of these runs.

    Raises CatalogueError where they cannot be read.
    """
    catalogue = load(root)
    runs = ordered(run for run in evidence.read(root)[0].values() if run.stack in catalogue.stacks)
    data = catalogue_data(catalogue, causes_of(catalogue))
    with_runs(data["causes"], ran(catalogue, runs))
    return {**data, "stacks": releases(runs)}
