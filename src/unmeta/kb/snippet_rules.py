"""Rules for snippets, read as text: what makes a run mean what the page says it means."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from unmeta.kb.change import change
from unmeta.kb.findings import Finding, named
from unmeta.kb.load import Catalogue
from unmeta.kb.parts import CODE, GOAL, statements
from unmeta.kb.snippets import Case, Role, Snippet, broken_key

MAX_LINES = 40
MAX_CHANGE = 8
STAGED = {
    "sys.exit": "end by reaching the goal",
    "os._exit": "end by reaching the goal",
    "exit": "end by reaching the goal",
    "quit": "end by reaching the goal",
    "warnings.warn": "let the library warn",
    "warnings.simplefilter": "leave warnings on: the reader sees them too",
    "warnings.filterwarnings": "leave warnings on: the reader sees them too",
    "warnings.catch_warnings": "leave warnings on: the reader sees them too",
}


def _finding(key: str, line: int, rule: str, message: str, remedy: str) -> Finding:
    return Finding(f"snippets/{key}", line, rule, message, remedy)


def _claimed(catalogue: Catalogue) -> Iterator[tuple[Case, Snippet]]:
    for case in catalogue.cases():
        if case.key in catalogue.snippets:
            yield case, catalogue.snippets[case.key]


def snippets_exist(catalogue: Catalogue) -> Iterator[Finding]:
    """Every claim has its snippet, unless the cause says why none can be run."""
    for case in catalogue.cases():
        cause = catalogue.causes.get(case.owner) if case.role is not Role.FACT else None
        if case.key in catalogue.snippets or (cause is not None and cause.unproved):
            continue
        folder = "facts" if case.role is Role.FACT else "causes"
        yield Finding(
            f"kb/{folder}/{case.owner}.yaml",
            1,
            "missing-snippet",
            f"snippets/{case.key} does not exist",
            "write it, or remove what it should prove",
        )


def snippets_are_claimed(catalogue: Catalogue) -> Iterator[Finding]:
    """No snippet lies about: an entry speaks of each."""
    claimed = {case.key for case in catalogue.cases()}
    for key in catalogue.snippets:
        if key not in claimed:
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
        if case.role in (Role.FIX, Role.TRAP) and broken and _code(snippet) == _code(broken):
            yield _finding(
                case.key, 1, "same-as-broken", f"the code equals snippets/{broken.key}", "write the change"
            )


def _code(snippet: Snippet) -> str:
    tree = snippet.tree
    if tree is None:
        return snippet.text
    body = tree.body[1:] if ast.get_docstring(tree) else tree.body
    return ast.dump(ast.Module(body, []))


def nothing_is_staged(catalogue: Catalogue) -> Iterator[Finding]:
    """Errors come from the library: no raise, no warning of the snippet's own, no assert above the goal."""
    for case, snippet in _claimed(catalogue):
        tree = snippet.tree
        if tree is None:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and case.role is not Role.FACT:
                yield _finding(
                    case.key, node.lineno, "staged", "the snippet raises by itself", "let the library raise"
                )
            if isinstance(node, ast.Call) and ast.unparse(node.func) in STAGED and case.role is not Role.FACT:
                name = ast.unparse(node.func)
                yield _finding(case.key, node.lineno, "staged", f"calls {name}()", STAGED[name])
            above = snippet.parts.of(getattr(node, "lineno", 0)) != "goal"
            if isinstance(node, ast.Assert) and above and snippet.parts.goal and case.role is not Role.FACT:
                yield _finding(
                    case.key,
                    node.lineno,
                    "early-assert",
                    "an assert above the goal",
                    "move it below `# goal`",
                )


MUTES = named("mutes", "a snippet shows all that its reader would see")
MUTING_CALLS = {
    "setLevel",
    "set_verbosity",
    "set_verbosity_error",
    "set_verbosity_warning",
    "set_verbosity_info",
    "set_verbosity_debug",
    "disable_default_handler",
    "disable_propagation",
    "captureWarnings",
    "filterwarnings",
    "simplefilter",
    "catch_warnings",
    "addFilter",
    "removeHandler",
    "redirect_stderr",
    "set_logs",
}
MUTING_NAME = re.compile(
    r"_keys_to_ignore|^[A-Z_]*(VERBOSITY|LOG_LEVEL|NO_ADVISORY_WARNINGS|PYTHONWARNINGS)$"
)
MUTING_TARGETS = {"sys.stderr", "logging.lastResort", "warnings.showwarning"}


def nothing_is_muted(catalogue: Catalogue) -> Iterator[Finding]:
    """No log level is lowered, no warning filtered, no key ignored: what is printed, the entry tells."""
    for key, snippet in catalogue.snippets.items():
        fact = key.startswith("facts/")
        for node in ast.walk(snippet.tree) if snippet.tree is not None else ():
            what = _muting(node)
            if what is None or (fact and _records(snippet.tree, node)):
                continue
            yield _finding(
                key,
                getattr(node, "lineno", 1),
                MUTES,
                f"{what} hides what the reader sees",
                "remove it; a fix or fact names what it prints under `prints`, with the reason",
            )


def _muting(node: ast.AST) -> str | None:
    """How a node silences something, in words; None where it does not."""
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        last = name.rpartition(".")[2]
        if last in MUTING_CALLS or name == "logging.disable":
            return f"{name}()"
        if (
            name == "os.dup2"
            and len(node.args) > 1
            and ast.unparse(node.args[1]) in ("2", "sys.stderr.fileno()")
        ):
            return "os.dup2(…, 2)"
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            name = ast.unparse(target)
            silent = isinstance(node.value, ast.Constant) and node.value.value is (name.endswith(".disabled"))
            if name in MUTING_TARGETS or (name.endswith((".propagate", ".disabled")) and silent):
                return name
    told = (
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute)
        else node.arg
        if isinstance(node, ast.keyword)
        else node.value
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        else None
    )
    return told if told is not None and MUTING_NAME.search(told) else None


def _records(tree: ast.Module | None, node: ast.AST) -> bool:
    """Whether a call belongs to `with catch_warnings(record=True)`, which keeps every warning to look at."""
    for block in ast.walk(tree) if tree is not None else ():
        if isinstance(block, ast.With) and any(inner is node for inner in ast.walk(block)):
            for item in block.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and any(
                    word.arg == "record" and ast.unparse(word.value) == "True" for word in call.keywords
                ):
                    return True
    return False


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
        tree = snippet.tree
        for node in ast.walk(tree) if tree is not None else ():
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
    nothing_is_staged,
    nothing_is_muted,
    first_changes_are_short,
    snippets_stand_alone,
)
