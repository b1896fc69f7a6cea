"""One order of a symptom's causes, wherever they are listed."""

from __future__ import annotations

from pathlib import Path

from unmeta.kb.load import Catalogue
from unmeta.match.likely import causes_of, entries_of
from unmeta.match.reported import Ending

SYMPTOM = "no-data-to-copy"


def ids(catalogue: Catalogue, fits: dict[str, int]) -> list[str]:
    return [cause.id for cause in causes_of(catalogue, {SYMPTOM: Ending(9, fits)})[SYMPTOM]]


def test_reports_of_the_symptom_come_first_then_all_reports_then_ids(catalogue: Catalogue) -> None:
    plain = ids(catalogue, {})
    counts = [sum(report.cause == name for report in catalogue.reports) for name in plain]
    assert [*zip([-count for count in counts], plain, strict=True)] == sorted(
        zip([-count for count in counts], plain, strict=True)
    )
    last = plain[-1]
    assert ids(catalogue, {last: 2}) == [last, *plain[:-1]]


def test_a_cause_that_only_reports_name_is_listed(catalogue: Catalogue) -> None:
    other = next(name for name in catalogue.causes if name not in ids(catalogue, {}))
    assert ids(catalogue, {other: 1})[0] == other


def test_entries_and_pages_have_one_order(catalogue: Catalogue, root: Path) -> None:
    order = causes_of(catalogue)
    for symptom in entries_of(root)["symptoms"]:
        assert [cause["id"] for cause in symptom["causes"]] == [cause.id for cause in order[symptom["id"]]]
