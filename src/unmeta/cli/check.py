"""`unmeta check`: apply every rule to the knowledge base."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from typing import TYPE_CHECKING

from unmeta.cli.checkout import load_catalogue, needing, root_of, rooted
from unmeta.cli.door import NO, OK, print_json
from unmeta.terminal import clean

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

SAYS = "Apply every rule to the knowledge base."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "--pending",
        nargs="?",
        const="",
        metavar="ENTRY",
        help="list what entries do not yet keep, and no error (of one entry only, where it is named)",
    )
    parser.add_argument("--write-schemas", action="store_true", help="write kb/schema from the models first")
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; 1 where there are any that count. Raises UsageError."""
    root = root_of(arguments)
    with needing("verify"):
        from unmeta.kb.findings import PENDING
        from unmeta.kb.schema import write
        from unmeta.verify.checks import all_findings
    if arguments.write_schemas:
        write(root / "kb" / "schema")
    gc.disable()  # trees of thousands of scripts live until the end: looking for garbage finds none
    try:
        every = all_findings(root)
    finally:
        gc.enable()
    pending = [finding for finding in every if finding.rule in PENDING]
    if arguments.pending is not None:
        findings = [
            finding
            for finding in pending
            if arguments.pending in ("", *finding.path.replace(".", "/").split("/"))
        ]
    else:
        findings = [finding for finding in every if finding.rule not in PENDING]
    if arguments.json:
        print_json([vars(finding) for finding in findings])
    else:
        for finding in findings:
            print(clean(str(finding)))
        print(_counted(len(findings), "finding") if findings else "clean")
        if pending and arguments.pending is None:
            counts = Counter(finding.rule for finding in pending)
            told = ", ".join(f"{rule} {count}" for rule, count in sorted(counts.items()))
            print(f"not yet kept, see --pending: {told}")
        if not findings and arguments.pending is None and sys.stdout.isatty():  # it takes seconds
            _say_effect(root)
    return NO if findings and arguments.pending is None else OK


def _say_effect(root: Path) -> None:
    """What the entries of this branch do to the answers of others, where it has any."""
    from unmeta.cli.effect import effect, left_main, searched_differs
    from unmeta.verify.effect import told

    base = left_main(root)
    if base is not None and searched_differs(root, base):
        catalogue = load_catalogue(root)
        for line in told(effect(root, catalogue, base), len(catalogue.reports), short=True):
            print(line)
        print("`unmeta effect` names them all")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
