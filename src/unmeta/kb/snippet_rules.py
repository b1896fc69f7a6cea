"""Rules for snippets, read as text: what makes a run mean what the page says it means."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from unmeta.kb.change import change
from unmeta.kb.findings import Finding, named
from unmeta.kb.honesty import HONESTY_RULES
from unmeta.kb.load import Catalogue
from unmeta.kb.parts import CODE, GOAL, statements
from unmeta.kb.snippets import Case, Role, Snippet, broken_key, cases_of_cause

MAX_LINES = 40
MAX_CHANGE = 8


def _finding(key: str, line: int, rule: str, message: str, remedy: str) -> Finding:
    return Finding(f"snippets/{key}", line, rule, message, remedy)


def _claimed(catalogue: Catalogue) -> Iterator[tuple[Case, Snippet]]:
    for case in catalogue.cases():
        if case.key in catalogue.snippets:
            yield case, catalogue.snippets[case.key]


def snippets_exist(catalogue: Catalogue) -> Iterator[Finding]:
    """Every claim has its snippet, unless the cause says why none can be run."""
    names: dict[str, set[str]] = {}
    for key in catalogue.snippets:
        folder, _, script = key.partition("/")
        names.setdefault(folder, set()).add(script)
    gone: set[str] = set()
    for case in catalogue.cases():
        cause = catalogue.causes.get(case.owner) if case.role is not Role.FACT else None
        if case.key in catalogue.snippets or (cause is not None and cause.unproved) or case.owner in gone:
            continue
        path = f"kb/{'facts' if cause is None else 'causes'}/{case.owner}.yaml"
        message = f"snippets/{case.key} does not exist"
        remedy = "write it, or remove what it should prove"
        if cause is not None and case.owner not in names:
            gone.add(case.owner)  # one mistake, one finding
            message = f"there is no folder snippets/{case.owner}"
            wanted = {item.key.partition("/")[2] for item in cases_of_cause(cause)}
            likely = [name for name in names if name not in catalogue.causes and wanted <= names[name]]
            if likely:
                remedy = (
                    f"move snippets/{likely[0]} there; `unmeta rename OLD NEW` does all that a new id takes"
                )
        yield Finding(path, _line_of(catalogue, case), "missing-snippet", message, remedy)


def _line_of(catalogue: Catalogue, case: Case) -> int:
    """Where an entry makes the claim that a snippet should prove."""
    if case.role is Role.FACT:
        return 1
    cause = catalogue.causes[case.owner]
    if case.role is Role.FIX:
        key, names = "fixes", [fix.id for fix in cause.fixes]
    elif case.role is Role.TRAP:
        key, names = "traps", [trap.id for trap in cause.traps]
    else:
        key, names = "faces", [face.id for face in cause.faces]
    name = case.name or case.face
    return catalogue.line("causes", cause.id, *((key, names.index(name)) if name in names else ()))


def snippets_are_claimed(catalogue: Catalogue) -> Iterator[Finding]:
    """No snippet lies about: an entry speaks of each."""
    claimed = {case.key for case in catalogue.cases()}
    whole: set[str] = set()
    for key in catalogue.snippets:
        folder = key.partition("/")[0]
        if folder not in catalogue.causes and folder != "facts":
            if folder not in whole:
                whole.add(folder)  # one mistake, one finding
                message = f"no entry speaks of the folder snippets/{folder}"
                remedy = (
                    f"write kb/causes/{folder}.yaml, or delete the folder; a new id takes `unmeta rename`"
                )
                yield _finding(key, 1, "unclaimed-snippet", message, remedy)
        elif key not in claimed:
            yield _finding(
                key,
                1,
                "unclaimed-snippet",
                "no entry speaks of this file",
                f"add it to kb/causes/{key.partition('/')[0]}.yaml, or delete it",
            )


def snippets_parse(catalogue: Catalogue) -> Iterator[Finding]:
    """Snippets are Python."""
    for key, snippet in catalogue.snippets.items():
        if snippet.tree is not None:
            continue
        try:
            ast.parse(snippet.text)
        except (SyntaxError, ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None) or 1
            yield _finding(key, line, "bad-python", str(error), "mend the syntax")


def snippets_are_short(catalogue: Catalogue) -> Iterator[Finding]:
    """A reader takes a snippet in at one look."""
    for key, snippet in catalogue.snippets.items():
        count = sum(1 for line in snippet.parts.lines if line not in (CODE, GOAL))
        if count > MAX_LINES:
            yield _finding(
                key,
                MAX_LINES + 1,
                "too-long",
                f"{count} lines without the markers; at most {MAX_LINES}",
                "show the mechanism only",
            )


def snippets_say_what_they_do(catalogue: Catalogue) -> Iterator[Finding]:
    """The first line tells what the person was doing."""
    for key, snippet in catalogue.snippets.items():
        tree = snippet.tree
        if tree is not None and not ast.get_docstring(tree):
            yield _finding(key, 1, "no-docstring", "no docstring", "say in one line what the person is doing")


def goals_stand(catalogue: Catalogue) -> Iterator[Finding]:
    """Every snippet of a cause ends in a goal that asserts something."""
    for case, snippet in _claimed(catalogue):
        if case.role is Role.FACT:
            tree = snippet.tree
            if tree is not None and not any(isinstance(node, ast.Assert) for node in ast.walk(tree)):
                yield _finding(case.key, 1, "no-assert", "a fact asserts nothing", "assert its statement")
            continue
        divided, line = snippet.parts, snippet.parts.goal_line
        if divided.code_line is None:
            yield _finding(
                case.key,
                1,
                "no-code",
                f"no line `{CODE}`",
                "write it above the few lines that a reader would have; fix and trap share what stands above",
            )
        if line is None:
            yield _finding(
                case.key,
                1,
                "no-goal",
                f"no line `{GOAL}`",
                "end the snippet with the goal that a fix reaches",
            )
        elif snippet.tree is not None and not any(
            isinstance(node, ast.Assert)
            for statement in statements(snippet.tree, divided, "goal")
            for node in ast.walk(statement)
        ):
            yield _finding(
                case.key, line, "no-assert", "the goal asserts nothing", "compare with a reference"
            )


def markers_divide(catalogue: Catalogue) -> Iterator[Finding]:
    """Markers stand alone, once, in order and between statements: an eye and a run see the same parts."""
    for key, snippet in catalogue.snippets.items():
        if snippet.misplaced is not None:
            yield _finding(
                key,
                snippet.misplaced.line,
                "misplaced-marker",
                str(snippet.misplaced),
                f"write `{CODE}` and `{GOAL}` once each, at the start of a line, between statements",
            )


def stages_agree(catalogue: Catalogue) -> Iterator[Finding]:
    """The stage of a fix or trap is that of the broken snippet; only imports may be added."""
    for case, snippet in _claimed(catalogue):
        broken = catalogue.snippets.get(broken_key(case.owner, case.face))
        if case.role not in (Role.FIX, Role.TRAP) or broken is None:
            continue
        if (snippet.parts.code_line is None) != (broken.parts.code_line is None):
            here, there = (broken, snippet) if snippet.parts.code_line is None else (snippet, broken)
            yield _finding(
                there.key,
                1,
                "other-stage",
                f"no line `{CODE}`, which snippets/{here.key} has",
                "divide both, so that the change can be shown",
            )
        elif snippet.parts.code_line is not None and _scene(snippet) != _scene(broken):
            yield _finding(
                case.key,
                snippet.parts.code_line,
                "other-stage",
                f"what stands above `{CODE}` differs from snippets/{broken.key}",
                f"move `{CODE}` up in both, above the first difference",
            )


def _scene(snippet: Snippet) -> list[str]:
    """The stage without docstring and imports, as code."""
    if snippet.tree is None:
        return [snippet.parts.stage]
    nodes = statements(snippet.tree, snippet.parts, "stage")
    nodes = nodes[1:] if ast.get_docstring(snippet.tree) and nodes else nodes
    return [ast.dump(node) for node in nodes if not isinstance(node, (ast.Import, ast.ImportFrom))]


def goals_agree(catalogue: Catalogue) -> Iterator[Finding]:
    """Fixes and traps are measured by the very goal that the broken snippet misses."""
    for case, snippet in _claimed(catalogue):
        if case.role not in (Role.FIX, Role.TRAP):
            continue
        broken = catalogue.snippets.get(broken_key(case.owner, case.face))
        if broken is not None and broken.parts.goal and snippet.parts.goal != broken.parts.goal:
            yield _finding(
                case.key,
                snippet.parts.goal_line or 1,
                "other-goal",
                f"its goal differs from that of snippets/{broken.key}",
                "copy the lines below `# goal` from there",
            )


def ways_differ_from_broken(catalogue: Catalogue) -> Iterator[Finding]:
    """A fix or trap that equals the broken snippet proves nothing."""
    for case, snippet in _claimed(catalogue):
        broken = catalogue.snippets.get(broken_key(case.owner, case.face))
        if case.role in (Role.FIX, Role.TRAP) and broken and _same_code(snippet, broken):
            yield _finding(
                case.key, 1, "same-as-broken", f"the code equals snippets/{broken.key}", "write the change"
            )


def _same_code(one: Snippet, other: Snippet) -> bool:
    return len(one.nodes) == len(other.nodes) and _code(one) == _code(other)


def _code(snippet: Snippet) -> str:
    tree = snippet.tree
    if tree is None:
        return snippet.text
    body = tree.body[1:] if ast.get_docstring(tree) else tree.body
    return ast.dump(ast.Module(body, []))


LONG_CHANGE = named("long-change", f"a first fix changes at most {MAX_CHANGE} lines")


def first_changes_are_short(catalogue: Catalogue) -> Iterator[Finding]:
    """A reader in a hurry takes in eight lines: the first fix of a cause and of each face has no more."""
    for cause in catalogue.causes.values():
        firsts = {fix.face: fix for fix in reversed(cause.fixes)}
        for face, fix in firsts.items():
            before = catalogue.snippets.get(broken_key(cause.id, face))
            after = catalogue.snippets.get(f"{cause.id}/fix-{fix.id}.py")
            size = change(before.text, after.text).size if before and after else 0
            if after and size > MAX_CHANGE:
                yield _finding(
                    after.key,
                    after.parts.code_line or 1,
                    LONG_CHANGE,
                    f"changes {size} lines of the reader's part (imports included); at most {MAX_CHANGE}",
                    "shorten it, or put a shorter fix first",
                )


def snippets_stand_alone(catalogue: Catalogue) -> Iterator[Finding]:
    """A reader can run a snippet with the libraries alone."""
    for key, snippet in catalogue.snippets.items():
        for node in snippet.nodes:
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if any(name.partition(".")[0] == "unmeta" for name in names):
                line = getattr(node, "lineno", 1)
                yield _finding(key, line, "imports-unmeta", "imports this project", "use the libraries only")


SNIPPET_RULES = (
    snippets_exist,
    snippets_are_claimed,
    snippets_parse,
    snippets_are_short,
    snippets_say_what_they_do,
    markers_divide,
    goals_stand,
    stages_agree,
    goals_agree,
    ways_differ_from_broken,
    *HONESTY_RULES,
    first_changes_are_short,
    snippets_stand_alone,
)
