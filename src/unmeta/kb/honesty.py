"""Rules that keep a run honest: a snippet stages nothing, mutes nothing, and reaches into no machinery.

They read the syntax tree, so they stop mistakes and plain tricks. What they cannot see (a name put together
at run time, a class that prints what a library would) is for whoever reviews the snippet.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from unmeta.kb.findings import Finding, named
from unmeta.kb.load import Catalogue
from unmeta.kb.snippets import Case, Role, Snippet

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


def _causes(catalogue: Catalogue) -> Iterator[tuple[Case, Snippet]]:
    for case in catalogue.cases():
        if case.key in catalogue.snippets and case.role is not Role.FACT:
            yield case, catalogue.snippets[case.key]


def dotted(node: ast.AST) -> str:
    """An expression as it is written: without `unparse`, which is slow, where it is names and dots."""
    names: list[str] = []
    inner = node
    while isinstance(inner, ast.Attribute):
        names.append(inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return ast.unparse(node)
    names.append(inner.id)
    return ".".join(reversed(names))


def nothing_is_staged(catalogue: Catalogue) -> Iterator[Finding]:
    """Errors come from the library: no raise, no warning of the snippet's own, no assert above the goal."""
    for case, snippet in _causes(catalogue):
        for node in snippet.nodes:
            if isinstance(node, ast.Raise):
                yield Finding(
                    f"snippets/{case.key}",
                    node.lineno,
                    "staged",
                    "the snippet raises by itself",
                    "let the library raise",
                )
            name = dotted(node.func) if isinstance(node, ast.Call) else ""
            if name in STAGED:
                line = getattr(node, "lineno", 1)
                yield Finding(f"snippets/{case.key}", line, "staged", f"calls {name}()", STAGED[name])
            above = snippet.parts.of(getattr(node, "lineno", 0)) != "goal"
            if isinstance(node, ast.Assert) and above and snippet.parts.goal:
                yield Finding(
                    f"snippets/{case.key}",
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
        for node in snippet.nodes:
            what = _muting(node)
            if what is None or (fact and _records(snippet.tree, node)):
                continue
            yield Finding(
                f"snippets/{key}",
                getattr(node, "lineno", 1),
                MUTES,
                f"{what} hides what the reader sees",
                "remove it; a fix or fact names what it prints under `prints`, with the reason",
            )


def _muting(node: ast.AST) -> str | None:
    """How a node silences something, in words; None where it does not."""
    if isinstance(node, ast.Call):
        name = dotted(node.func)
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
            name = dotted(target)
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


REACHES_IN = named("reaches-in", "a snippet leaves the interpreter's own machinery alone")
REACHING_CALLS = {
    "exec": "runs code under another file's name",
    "eval": "runs code under another file's name",
    "compile": "makes code under another file's name",
    "__import__": "imports by a name that nobody reads",
}
REACHING_NAMES = {
    "settrace": "changes what frames show",
    "setprofile": "changes what frames show",
    "monitoring": "changes what frames show",
    "_getframe": "reaches what records the run",
    "_current_frames": "reaches what records the run",
    "currentframe": "reaches what records the run",
    "tb_frame": "reaches what records the run",
    "f_back": "reaches what records the run",
    "f_globals": "reaches what records the run",
    "get_referrers": "reaches what records the run",
    "get_objects": "reaches what records the run",
    "callHandlers": "reaches what records the run",
    "showwarning": "reaches what records the run",
    "excepthook": "reaches what records the run",
    "unraisablehook": "reaches what records the run",
    "addaudithook": "reaches what records the run",
    "set_exception": "hands on an error that no library raised",
    "with_traceback": "gives an error another's frames",
    "__traceback__": "gives an error another's frames",
    "__code__": "gives code another's name",
}
REACHING_MODULES = {"ctypes", "unittest", "linecache", "trace", "bdb", "runpy", "gc", "code"}


def nothing_reaches_in(catalogue: Catalogue) -> Iterator[Finding]:
    """No tracers, frames, hooks, code made at run time or errors handed over: a record is what happened."""
    for key, snippet in catalogue.snippets.items():
        for node in snippet.nodes:
            if reason := _reaching(node):
                what, why = reason
                yield Finding(
                    f"snippets/{key}",
                    getattr(node, "lineno", 1),
                    REACHES_IN,
                    f"{what} {why}",
                    "do it with the libraries alone",
                )


def _reaching(node: ast.AST) -> tuple[str, str] | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REACHING_CALLS:
        return f"{node.func.id}()", REACHING_CALLS[node.func.id]
    if isinstance(node, ast.Attribute) and dotted(node) == "sys.modules":
        return "sys.modules", "puts other code in a library's place"
    names: list[str] = []
    if isinstance(node, ast.Attribute):
        names = [node.attr]
    elif isinstance(node, ast.Name):
        names = [node.id]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        names = [node.value]
    elif isinstance(node, ast.ImportFrom):
        names = [alias.name for alias in node.names]
    for name in names:
        if name in REACHING_NAMES:
            return name, REACHING_NAMES[name]
    modules: list[str] = []
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        modules = [node.module or ""]
    for module in modules:
        if module.partition(".")[0] in REACHING_MODULES:
            return f"the module {module}", "reaches below what a reader's code does"
    return None


HONESTY_RULES = (nothing_is_staged, nothing_is_muted, nothing_reaches_in)
