"""What a change of entries does to the answers that public reports get. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unmeta.kb.load import Catalogue
from unmeta.kb.model import NOT_META, PublicReport
from unmeta.match.compile import compile_index, read_weights, to_json
from unmeta.match.score import Matcher

MOST = 12


@dataclass(frozen=True)
class Changed:
    """A report whose first answer changed; `line` is its line in kb/reports.jsonl."""

    line: int
    report: PublicReport
    before: str
    after: str

    @property
    def kind(self) -> str:
        """Whether the answer is now `right`, now `wrong`, or `other` (right or wrong both times)."""
        was, is_ = (fits(self.report, answer) for answer in (self.before, self.after))
        return "other" if was == is_ else "right" if is_ else "wrong"


def matcher(catalogue: Catalogue, root: Path) -> Matcher:
    """The matcher of the checkout that a catalogue was read from."""
    return Matcher(json.loads(to_json(compile_index(catalogue, weights=read_weights(root)))))


def answers(found: Matcher, reports: Iterable[PublicReport]) -> list[str]:
    """The first answer to each report: a cause, a look-alike, or what kind of no answer it is."""
    return [_first(found.explain(report.text())) for report in reports]


def _first(answer: Mapping[str, object]) -> str:
    causes, other = answer["causes"], answer.get("why_not")
    if other and not answer["known"]:
        return f"{NOT_META}: {other['id']}"  # type: ignore[index]
    return str(causes[0]["id"]) if causes and answer["known"] else "no answer"  # type: ignore[index]


def fits(report: PublicReport, answer: str) -> bool:
    """Whether an answer is right, or fair."""
    return answer.partition(":")[0] in (report.cause, *report.also)


def changed(reports: Sequence[PublicReport], before: Sequence[str], after: Sequence[str]) -> list[Changed]:
    """The reports whose first answer differs, those that are now wrong first."""
    rows = [
        Changed(line, report, old, new)
        for line, (report, old, new) in enumerate(zip(reports, before, after, strict=True), 1)
        if old != new
    ]
    order = ("wrong", "other", "right")
    return sorted(rows, key=lambda row: (order.index(row.kind), row.line))


def told(rows: Sequence[Changed], total: int, short: bool = False) -> Iterator[str]:
    """The effect as lines of text; `short` names the reports that are wrong now, and few of them."""
    counts = {kind: sum(row.kind == kind for row in rows) for kind in ("right", "wrong")}
    if not rows:
        yield f"your entries change none of the answers to {total} reports"
        return
    yield (
        f"your entries change {len(rows)} of {total} answers to reports: "
        f"{counts['right']} are right now, {counts['wrong']} wrong now"
    )
    shown = [row for row in rows if row.kind == "wrong"][:MOST] if short else rows
    for row in shown:
        mark = {"right": "now right", "wrong": "NOW WRONG", "other": "changed"}[row.kind]
        said = row.report.cause
        yield f"  {mark}  {row.report.source} (line {row.line}, {said}): {row.before} → {row.after}"
