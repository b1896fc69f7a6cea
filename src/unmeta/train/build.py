"""From a checkout to rows: every example of it, read by the matcher with plain weights."""

from __future__ import annotations

import json
from pathlib import Path

from unmeta.kb.load import Catalogue, load
from unmeta.match.compile import compile_index, to_json
from unmeta.match.score import Matcher
from unmeta.train import examples
from unmeta.train.examples import Example
from unmeta.train.fit import Read, read


def causes_of(root: Path) -> tuple[str, ...]:
    """Ids of all causes, in the order of the index."""
    return tuple(load(root).causes)


def plain_matcher(catalogue: Catalogue) -> Matcher:
    """A matcher that nothing was fitted to: what it reads does not depend on the weights."""
    index = compile_index(catalogue)
    return Matcher(json.loads(to_json(index)))


def all_examples(
    root: Path, catalogue: Catalogue, every_form: bool = False, printed: Path | None = None
) -> list[Example]:
    """Reports, runs, programs, look-alikes and what entries say. Raises EvidenceError for bad runs files."""
    return [
        *examples.of_reports(catalogue),
        *examples.of_runs(catalogue, examples.runs_of(root, catalogue)),
        *examples.of_programs(examples.programs_of(root, catalogue, printed), every_form),
        *examples.of_lookalikes(catalogue),
        *examples.of_everyday(),
        *examples.of_entries(catalogue),
    ]


def rows_of(root: Path, every_form: bool = False, printed: Path | None = None) -> list[Read]:
    """All examples of a checkout, read. `printed` as programs_of() takes it."""
    catalogue = load(root)
    return read(all_examples(root, catalogue, every_form, printed), plain_matcher(catalogue))
