"""`unmeta check`: apply every rule to the knowledge base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unmeta.cli.checkout import needing, root_of, rooted
from unmeta.cli.door import NO, OK, print_json

if TYPE_CHECKING:
    import argparse

SAYS = "Apply every rule to the knowledge base."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--write-schemas", action="store_true", help="write kb/schema from the models first")
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; 1 where there are any. Raises UsageError."""
    root = root_of(arguments)
    with needing("verify"):
        from unmeta.kb.schema import write
        from unmeta.verify.checks import all_findings
    if arguments.write_schemas:
        write(root / "kb" / "schema")
    findings = all_findings(root)
    if arguments.json:
        print_json([vars(finding) for finding in findings])
    else:
        for finding in findings:
            print(finding)
        print(f"{len(findings)} finding{'' if len(findings) == 1 else 's'}" if findings else "clean")
    return NO if findings else OK
