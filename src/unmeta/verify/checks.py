"""All rules of all rooms together: what `unmeta check` applies."""

from __future__ import annotations

from pathlib import Path

from unmeta.kb import evidence
from unmeta.kb.check import KB_RULES, check
from unmeta.kb.findings import Finding
from unmeta.kb.load import Catalogue, CatalogueError, load
from unmeta.kb.runs import Runs
from unmeta.kb.unfinished import UNFINISHED_RULES
from unmeta.match.rules import MATCH_RULES
from unmeta.verify.bounds import bounds_are_bracketed
from unmeta.verify.entry_rules import ENTRY_PROOF_RULES
from unmeta.verify.rules import PROOF_RULES


def findings_of(catalogue: Catalogue) -> list[Finding]:
    """Findings about the entries and snippets alone."""
    return check(catalogue, (*KB_RULES, *UNFINISHED_RULES, *MATCH_RULES))


def findings_of_proof(catalogue: Catalogue, runs: dict[str, Runs]) -> list[Finding]:
    """Findings about the recorded runs."""
    rules = (*PROOF_RULES, *ENTRY_PROOF_RULES, bounds_are_bracketed)
    return sorted({finding for rule in rules for finding in rule(catalogue, runs)})


def all_findings(root: Path) -> list[Finding]:
    """Every finding of a checkout."""
    try:
        catalogue = load(root)
    except CatalogueError as error:
        return error.findings
    findings = findings_of(catalogue)
    if any(finding.rule == "bad-template" for finding in findings):
        return findings
    runs, unread = evidence.read(root)
    findings += evidence.large(root)
    return sorted([*findings, *unread] if unread else findings + findings_of_proof(catalogue, runs))
