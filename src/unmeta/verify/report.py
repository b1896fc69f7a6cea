"""A mismatch as text: claim beside observation, the traceback, and what to do."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from unmeta.kb.runs import printed_text
from unmeta.verify.judge import claim_lines, seen_lines

if TYPE_CHECKING:
    from unmeta.verify.mismatch import MismatchError

WIDTH = 110


def mismatch(found: MismatchError, where: str) -> str:
    """What `pytest` prints for a snippet that is not what its entry claims."""
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, color_system=None, highlight=False, markup=False)
    console.print(Text(found.reasons[0].message), soft_wrap=True)
    case, observation, catalogue = found.case, found.observation, found.catalogue
    if case is not None and observation is not None and catalogue is not None:
        table = Table(width=WIDTH)
        table.add_column("the entry claims", ratio=1)
        table.add_column("the run showed" + (f" (turn {found.turn + 1})" if found.turn else ""), ratio=1)
        claimed = "\n".join(claim_lines(case, catalogue))
        table.add_row(Text(claimed), Text("\n".join(seen_lines(observation, catalogue))))
        console.print(table)
        printed = printed_text(observation)
        if printed:
            _print(console, where, printed)
    elif observation is not None and observation.output:
        _print(console, where, observation.output)
    for reason in found.reasons:
        console.print(Text(f"✗ {reason}"), soft_wrap=True)
    return out.getvalue().rstrip()


def _print(console: Console, where: str, printed: str) -> None:
    console.print(f"what {where} printed:")
    console.print(Text(printed), soft_wrap=True)
    console.print()
