"""Rules for programs: they stand where their cause is, run without this project, and show one fix."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from unmeta.kb.findings import Finding
from unmeta.kb.load import Catalogue
from unmeta.kb.model import NOT_META
from unmeta.kb.programs import NEAR_MISSES, REPAIRED, Program


def _at(program: Program, rule: str, message: str, remedy: str, file: str = "program.yaml") -> Finding:
    return Finding(f"{program.key}/{file}", 1, rule, message, remedy)


def programs_have_causes(catalogue: Catalogue) -> Iterator[Finding]:
    """A program lies in the folder of its cause; near misses have a folder of their own."""
    for program in catalogue.programs.values():
        cause = program.claim.cause
        if cause != NOT_META and cause not in catalogue.causes:
            yield _at(program, "unknown-cause", f"no cause {cause!r}", "correct `cause`")
        elif program.folder != (NEAR_MISSES if cause == NOT_META else cause):
            wanted = NEAR_MISSES if cause == NOT_META else cause
            remedy = f"move the program to programs/{wanted}, or correct `cause`"
            yield _at(program, "program-elsewhere", f"is of {cause!r} but lies in {program.folder!r}", remedy)


def programs_apply_a_fix(catalogue: Catalogue) -> Iterator[Finding]:
    """The repaired copy applies a fix that the entry has or says why none holds, in files that differ."""
    for program in catalogue.programs.values():
        if program.near_miss:
            if program.claim.fix or program.repairs:
                yield _at(program, "program-repair", "a near miss has nothing to repair", "remove the fix")
            continue
        cause = catalogue.causes.get(program.claim.cause)
        fixes = [fix.id for fix in cause.fixes] if cause else []
        if cause and program.claim.fix not in fixes and (program.claim.fix or not program.claim.why):
            remedy = f"name one of {', '.join(fixes)}" if fixes else "give the cause a fix first"
            message = f"no fix {program.claim.fix!r} of {cause.id!r}" if program.claim.fix else "names no fix"
            remedy += "" if program.claim.fix else "; where none of them holds here, say `why`"
            yield _at(program, "unknown-fix", message, remedy)
        if not program.repairs:
            remedy = f"put the changed files into {REPAIRED}/"
            yield _at(program, "program-repair", "nothing is repaired", remedy)
        for name, text in program.repairs.items():
            if program.files.get(name) == text:
                message = "is the same as in the broken program"
                yield _at(program, "program-repair", message, "delete it", f"{REPAIRED}/{name}")


def programs_can_run(catalogue: Catalogue) -> Iterator[Finding]:
    """Every file is Python that runs without this project, and the command line names one of them."""
    for program in catalogue.programs.values():
        if program.broken.main not in program.files:
            message = f"`run` starts {program.broken.main!r}, which is not there"
            yield _at(program, "program-start", message, "name a file of the program first")
        copies = [(name, text) for name, text in program.files.items()]
        copies += [(f"{REPAIRED}/{name}", text) for name, text in program.repairs.items()]
        for name, text in copies:
            if name.endswith(".py"):
                yield from _python(program, name, text)


def _python(program: Program, name: str, text: str) -> Iterator[Finding]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 1
        yield Finding(f"{program.key}/{name}", line, "bad-python", str(error), "mend the syntax")
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        if any(found.partition(".")[0] == "unmeta" for found in names):
            message = "imports this project"
            remedy = "programs are as their users write them: remove the import"
            yield Finding(f"{program.key}/{name}", node.lineno, "imports-unmeta", message, remedy)  # type: ignore[attr-defined]


PROGRAM_RULES = (programs_have_causes, programs_apply_a_fix, programs_can_run)
