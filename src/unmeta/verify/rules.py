"""Rules that need recorded runs: claims and measurements agree, and nothing is claimed unseen."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from unmeta.kb.check import at
from unmeta.kb.evidence import moved
from unmeta.kb.findings import Finding
from unmeta.kb.load import Catalogue
from unmeta.kb.model import PACKAGES
from unmeta.kb.runs import Runs
from unmeta.kb.snippets import Case, Role
from unmeta.verify import programs
from unmeta.verify.judge import State, is_noise, obstacle, recognise
from unmeta.verify.ledger import cells

UNPROVED = (State.STALE, State.NOT_RUN)
ProofRule = Callable[[Catalogue, Mapping[str, Runs]], Iterable[Finding]]


def reference_is_fresh(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """Every snippet that the reference stack can run was run there as it is now."""
    reference = catalogue.reference
    table = cells(catalogue, runs)
    for case in catalogue.cases():
        if case.key not in catalogue.snippets or obstacle(case, reference.versions, "cpu"):
            continue
        if (absent := _undeclared(case, catalogue)) is not None:
            yield Finding(
                f"snippets/{case.key}",
                1,
                "stale-run",
                f"imports {absent}, which the reference stack has not, so nothing is recorded",
                f'say so under `needs` of kb/causes/{case.owner}.yaml: {{{absent}: ">=…"}}',
            )
            continue
        verdict = table.get((case.key, reference.id))
        if reference.id in runs and moved(catalogue, runs[reference.id], case.key):
            continue  # one finding for the whole stack, see `stacks_hold_still`
        if verdict is None or verdict.state in (State.STALE, State.NOT_RUN):
            reason = str(verdict.reasons[0].message) if verdict else "never run on the reference stack"
            yield Finding(
                f"snippets/{case.key}", 1, "stale-run", reason, f"pytest snippets/{case.key} --record"
            )


def _undeclared(case: Case, catalogue: Catalogue) -> str | None:
    """A package of the catalogue that a snippet imports, and that neither stack nor entry names."""
    imported: set[str] = set()
    for node in catalogue.snippets[case.key].nodes:
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.partition(".")[0])
    declared = {*catalogue.reference.versions, *case.needs.packages, *case.applies, "safetensors"}
    return next(
        (name for name in PACKAGES if name.replace("-", "_") in imported and name not in declared), None
    )


def runs_hold(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """No recorded run contradicts its entry, on any stack."""
    cases = {case.key: case for case in catalogue.cases()}
    for (key, name), verdict in cells(catalogue, runs).items():
        if verdict.state is not State.FAILS or key not in catalogue.snippets:
            continue
        folder = "facts" if cases[key].role is Role.FACT else "causes"
        for reason in verdict.reasons:
            yield Finding(
                f"snippets/{key}",
                1,
                "run-contradicts",
                f"on {name}: {reason.message}",
                reason.remedy or f"correct the snippet, or kb/{folder}/{cases[key].owner}.yaml",
            )


def programs_are_fresh(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """Every program that the reference stack can run was run there as it is now, and none fails anywhere."""
    table = programs.cells(catalogue, runs)
    reference = catalogue.reference
    for program in catalogue.programs.values():
        here = programs.obstacle(program, catalogue, reference.versions, "cpu") is None
        for edition in program.editions():
            for name in dict.fromkeys([reference.id, *runs]):
                verdict = table.get((edition.key, name))
                if verdict is not None and verdict.state is State.FAILS:
                    for reason in verdict.reasons:
                        message = f"on {name}: {reason.message}"
                        yield Finding(
                            f"{program.key}/program.yaml", 1, "run-contradicts", message, reason.remedy
                        )
                elif (
                    name != reference.id
                    or not here
                    or (name in runs and moved(catalogue, runs[name], edition.key))
                ):
                    continue
                elif verdict is None or verdict.state is not State.HOLDS:
                    message = verdict.reasons[0].message if verdict else "never run on the reference stack"
                    remedy = f"pytest {program.key} --record"
                    yield Finding(f"{program.key}/program.yaml", 1, "stale-run", message, remedy)


def wordings_were_seen(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """Every wording was printed by a run, or says why no run of ours prints it."""
    seen: set[tuple[str, str]] = set()
    for item in runs.values():
        for observation in item.snippets.values():
            for event in observation.events:
                found = recognise(event, catalogue)
                if found:
                    seen.add((found.symptom, found.wording))
    for name, symptom in catalogue.symptoms.items():
        for wording, message in symptom.messages.items():
            if (name, wording) not in seen and not message.unseen:
                yield at(
                    catalogue,
                    "symptoms",
                    name,
                    ("messages", wording),
                    "wording-never-seen",
                    f"no recorded run prints the wording {wording!r}",
                    "show it in a snippet, or say why none can: `unseen: <reason>`",
                )


def noise_is_heard(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """An exemption that is no longer needed goes."""
    events = [event for item in runs.values() for seen in item.snippets.values() for event in seen.events]
    for noise in catalogue.noise:
        alone = replace(catalogue, noise=[noise])
        if not any(is_noise(event, alone) for event in events):
            yield Finding(
                "kb/noise.toml", 1, "needless-noise", f"no recorded run prints {noise.text!r}", "remove it"
            )


PROOF_RULES: tuple[ProofRule, ...] = (
    reference_is_fresh,
    runs_hold,
    programs_are_fresh,
    wordings_were_seen,
    noise_is_heard,
)
