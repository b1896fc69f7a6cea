"""What a class or a function shows by its form: models that are built on meta, loads in threads."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from unmeta.scan.tree import Code, calls, walk
from unmeta.scan.values import called, dotted, keyword, says_meta, text

CREATORS = (
    "linspace", "arange", "tensor", "zeros", "ones", "rand", "randn", "randint", "full", "logspace", "eye",
)  # fmt: skip
READS = ("item", "tolist", "numpy", "nonzero")
BUILT_IN_READS = ("int", "float", "bool")
Place = tuple[ast.expr, str]
"""Where something is wrong, and the cause."""


def class_findings(code: Code) -> Iterator[Place]:
    """Findings about the models of a program and how they are built."""
    classes = code.of(ast.ClassDef)
    pretrained = {node.name for node in classes if any(_is_pretrained(base) for base in node.bases)}
    for _ in range(3):  # subclasses of subclasses in the same program
        pretrained |= {
            node.name
            for node in classes
            if any((dotted(base) or "").rpartition(".")[2] in pretrained for base in node.bases)
        }
    initialised = _initialised_names(code)
    loaders, helpers = _loading_functions(code), _helpers(code)
    parts = _parts(classes, pretrained)
    for node in classes:
        for constructor in _methods(node, "__init__"):
            found = _of_constructor(constructor, initialised, loaders, helpers)
            if node.name in pretrained:
                yield from found
            elif node.name in parts:
                yield from (place for place in found if place[1] == "init-reads-values-on-meta")


def constructors_matter(code: Code) -> bool:
    """Whether a constructor would be a finding as that of a model; `code` holds it without its class."""
    loaders, helpers = _loading_functions(code), _helpers(code)
    constructors = [node for node in code.of(ast.FunctionDef) if node.name == "__init__"]
    return any(any(_of_constructor(node, set(), loaders, helpers)) for node in constructors)


def _helpers(code: Code) -> dict[str, ast.FunctionDef]:
    return {item.name: item for item in code.body if isinstance(item, ast.FunctionDef)}


def _parts(classes: list[ast.ClassDef], pretrained: set[str]) -> set[str]:
    """Modules of the file that the models of the file build, directly or through others."""
    by_name = {node.name: node for node in classes}
    found: set[str] = set()
    left = [by_name[name] for name in pretrained]
    while left:
        node = left.pop()
        for constructor in _methods(node, "__init__"):
            for call in calls(constructor):
                name = called(call)
                if name in by_name and name not in found | pretrained:
                    found.add(name)
                    left.append(by_name[name])
    return found


def hidden_buffers(code: Code) -> set[str]:
    """Classes that compute a buffer outside the state dict, or build one that does."""
    of_class = {node.name: calls(node) for node in code.of(ast.ClassDef)}
    found = {
        name
        for name, own in of_class.items()
        if any(called(call) == "register_buffer" and _is_computed_and_hidden(call) for call in own)
    }
    for _ in range(3 if found else 0):
        found |= {name for name, own in of_class.items() if any(called(call) in found for call in own)}
    return found


def _is_pretrained(base: ast.expr) -> bool:
    name = (dotted(base) or "").rpartition(".")[2]
    return name.endswith("PreTrainedModel") and not name.startswith(("TF", "Flax"))


def _methods(node: ast.ClassDef, name: str) -> Iterator[ast.FunctionDef]:
    return (item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == name)


def _of_constructor(
    constructor: ast.FunctionDef,
    initialised: set[str],
    loaders: set[str],
    helpers: dict[str, ast.FunctionDef],
) -> Iterator[Place]:
    guarded = _under_real_device(constructor)
    tensors = _local_tensors(constructor, guarded)
    for test in _tests(constructor):
        if test not in guarded and _makes_tensor(test, tensors):
            yield test, "init-reads-values-on-meta"
    for call in calls(constructor):
        if call in guarded:
            continue
        name = called(call)
        if _loads_weights(call) or (isinstance(call.func, ast.Name) and name in loaders):
            yield call, "nested-from-pretrained"
        elif _reads_a_tensor(call, tensors) or (
            isinstance(call.func, ast.Name)
            and name in helpers
            and _helper_reads(helpers[name], call, tensors)
        ):
            yield call, "init-reads-values-on-meta"
        elif name == "register_buffer" and _is_computed_and_hidden(call):
            buffer = text(call.args[0])
            if buffer is not None and buffer not in initialised:
                yield call, "non-persistent-buffer-lost"


def _helper_reads(helper: ast.FunctionDef, call: ast.Call, tensors: set[str]) -> bool:
    """Whether a function of the file reads values of tensors that it makes, or that this call gives it."""
    guarded = _under_real_device(helper)
    own = {
        parameter.arg
        for parameter, argument in zip(helper.args.args, call.args, strict=False)
        if _makes_tensor(argument, tensors)
    }
    own |= {item.arg for item in call.keywords if item.arg is not None and _makes_tensor(item.value, tensors)}
    own |= _local_tensors(helper, guarded, own)
    tests = [test for test in _tests(helper) if test not in guarded and _makes_tensor(test, own)]
    return bool(tests) or any(_reads_a_tensor(part, own) for part in calls(helper) if part not in guarded)


def _tests(constructor: ast.FunctionDef) -> Iterator[ast.expr]:
    """Conditions: of a tensor they read its value."""
    for node in walk(constructor):
        if isinstance(node, (ast.If, ast.While, ast.Assert, ast.IfExp)):
            test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
            if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot, ast.In))):
                yield test


def _loads_weights(call: ast.Call) -> bool:
    """Whether a call in a constructor loads weights into a part that is on meta there."""
    if called(call) == "load_state_dict":
        return keyword(call, "assign") is None and isinstance(call.func, ast.Attribute)
    return called(call) == "from_pretrained" and not is_config_or_processor(call)


def _loading_functions(code: Code) -> set[str]:
    """Functions of the program that load weights."""
    if not code.holds("load_state_dict", "from_pretrained"):
        return set()
    return {
        node.name
        for node in code.body
        if isinstance(node, ast.FunctionDef) and any(_loads_weights(call) for call in calls(node))
    }


def is_config_or_processor(call: ast.Call) -> bool:
    """Whether a from_pretrained() loads no weights, by the name of its class."""
    owner = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else None
    last = (owner or "").rpartition(".")[2]
    return last.endswith(("Config", "Tokenizer", "TokenizerFast", "Processor", "Extractor", "Scheduler"))


def _under_real_device(constructor: ast.FunctionDef) -> set[ast.AST]:
    """Everything inside `with torch.device("cpu")`."""
    found: set[ast.AST] = set()
    for node in walk(constructor):
        if isinstance(node, ast.With):
            for item in node.items:
                expression = item.context_expr
                device = isinstance(expression, ast.Call) and called(expression) == "device"
                if device and not says_meta(expression):
                    found |= set(walk(node))
    return found


def _local_tensors(
    constructor: ast.FunctionDef, guarded: set[ast.AST], known: Iterable[str] = ()
) -> set[str]:
    """Names that hold a tensor made without a device of its own, hold several, or run over one in a loop."""
    found = set(known)
    for _ in range(2):  # names that follow from names
        for node in walk(constructor):
            if node in guarded:
                continue
            if isinstance(node, ast.Assign):
                value = node.value
                many = value.elt if isinstance(value, (ast.ListComp, ast.GeneratorExp)) else value
                if _makes_tensor(many, found):
                    targets = [part for target in node.targets for part in _parts_of(target)]
                    found |= {name for target in targets if (name := dotted(target)) is not None}
            elif isinstance(node, (ast.For, ast.comprehension)) and _makes_tensor(node.iter, found):
                name = dotted(node.target)
                if name is not None:
                    found.add(name)
    return found


def _parts_of(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


def _makes_tensor(node: ast.expr, tensors: set[str]) -> bool:
    """Whether an expression is built on a torch constructor that follows the default device."""
    while True:
        name = dotted(node)
        if name is not None and name in tensors:
            return True
        if isinstance(node, ast.Call):
            path = dotted(node.func) or ""
            last = path.rpartition(".")[2]
            if path.startswith("torch.") and last in CREATORS:
                return keyword(node, "device") is None
            if path.startswith("torch.") or last == "Parameter":
                return any(_makes_tensor(part, tensors) for part in _operands(node.args))
            if isinstance(node.func, ast.Attribute) and node.func.attr in READS:
                return False
            node = node.func
        elif isinstance(node, (ast.BinOp, ast.Compare)):
            right = [node.right] if isinstance(node, ast.BinOp) else node.comparators
            if any(_makes_tensor(part, tensors) for part in right):
                return True
            node = node.left
        elif isinstance(node, (ast.Subscript, ast.Attribute)):
            if isinstance(node, ast.Attribute) and node.attr in ("shape", "ndim", "dtype", "device"):
                return False
            node = node.value
        elif isinstance(node, ast.Starred):
            node = node.value
        else:
            return False


def _operands(arguments: list[ast.expr]) -> Iterator[ast.expr]:
    """Arguments, and the members of those that are lists."""
    for argument in arguments:
        if isinstance(argument, (ast.List, ast.Tuple)):
            yield from argument.elts
        else:
            yield argument


def _reads_a_tensor(call: ast.Call, tensors: set[str]) -> bool:
    """A read or a move of a tensor made here, also in `[x.item() for x in torch.linspace(...)]`."""
    if isinstance(call.func, ast.Name):
        return call.func.id in BUILT_IN_READS and len(call.args) == 1 and _makes_tensor(call.args[0], tensors)
    if not isinstance(call.func, ast.Attribute):
        return False
    name = call.func.attr
    if name == "nonzero" and dotted(call.func) == "torch.nonzero":
        return bool(call.args) and _makes_tensor(call.args[0], tensors)
    if name in READS and not call.args:
        return _makes_tensor(call.func.value, tensors)
    return _moves_to_a_device(call) and _makes_tensor(call.func.value, tensors)


def _moves_to_a_device(call: ast.Call) -> bool:
    """`.cpu()`, `.cuda()`, or `.to()` with what is a device by its name."""
    name = called(call)
    if name in ("cpu", "cuda"):
        return not call.args or name == "cuda"
    if name != "to":
        return False
    device = keyword(call, "device") or (call.args[0] if call.args else None)
    if device is None:
        return False
    return text(device) is not None or "device" in (dotted(device) or "").lower()


def kept_on_meta(code: Code) -> Iterator[Place]:
    """Attributes that one method moves to meta and another goes on using."""
    for node in code.of(ast.ClassDef):
        methods = [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
        for method in methods:
            for call in calls(method):
                path = _moved_to_meta(call)
                if path is None or _given_anew(method, path, call.lineno):
                    continue
                others = [item for item in methods if item is not method and item.name != "__init__"]
                if any(_uses(other, path) for other in others):
                    yield call, "moved-to-meta-to-free"


def _moved_to_meta(call: ast.Call) -> str | None:
    """The attribute of `self.x.to("meta")`, whatever the index of an item."""
    if called(call) != "to" or not isinstance(call.func, ast.Attribute):
        return None
    if not says_meta(call.args[0] if call.args else keyword(call, "device")):
        return None
    path = dotted(call.func.value)
    return path.partition("[")[0] if path is not None and path.startswith("self.") else None


def _given_anew(method: ast.AST, path: str, line: int) -> bool:
    """Whether a method assigns or deletes an attribute after a line."""
    for node in walk(method):
        if getattr(node, "lineno", 0) < line:
            continue
        if isinstance(node, ast.Call) and called(node) in ("pop", "clear", "popitem", "delattr", "setattr"):
            return True
        stored = isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)
        if stored and (dotted(node) or "").partition("[")[0] == path:
            return True
    return False


def _uses(method: ast.AST, path: str) -> bool:
    """Whether a method reads an attribute that it has not given anew in every case."""
    for node in walk(method):
        if isinstance(node, ast.Assign) and any(dotted(target) == path for target in node.targets):
            guards = [part for part in walk(method) if isinstance(part, ast.If) and node in walk(part)]
            if not any(path in ast.unparse(part.test) for part in guards):
                return False
    return any(
        isinstance(node, (ast.Attribute, ast.Subscript))
        and isinstance(node.ctx, ast.Load)
        and (dotted(node) or "").partition("[")[0] == path
        for node in walk(method)
    )


def _is_computed_and_hidden(call: ast.Call) -> bool:
    persistent = keyword(call, "persistent")
    if persistent is None and len(call.args) > 2:
        persistent = call.args[2]
    hidden = isinstance(persistent, ast.Constant) and persistent.value is False
    value = call.args[1] if len(call.args) > 1 else keyword(call, "tensor")
    if not hidden or value is None or (isinstance(value, ast.Constant) and value.value is None):
        return False
    return not any(isinstance(part, ast.keyword) and part.arg == "device" for part in walk(value))


def _initialised_names(code: Code) -> set[str]:
    """Every attribute that some `_init_weights` of the program names."""
    names: set[str] = set()
    for node in code.of(ast.FunctionDef):
        if node.name in ("_init_weights", "_reset_parameters"):
            names |= {child.attr for child in walk(node) if isinstance(child, ast.Attribute)}
            names |= {told for child in walk(node) if (told := text(child)) is not None}
    return names


def thread_findings(code: Code) -> Iterator[Place]:
    """Functions given to a thread or a pool of threads that load a model outside any lock."""
    functions = {node.name: node for node in code.of(ast.FunctionDef) if node.name != "__init__"}
    threads = {
        method
        for node in code.of(ast.ClassDef)
        if any((dotted(base) or "").endswith("Thread") for base in node.bases)
        for method in _methods(node, "run")
    }
    for method in threads:
        functions["run"] = method
    pooled = _names_given_to_threads(code) | ({"run"} if threads else set())
    locks = {
        (dotted(target) or "").rpartition(".")[2]
        for node in code.of(ast.Assign)
        if isinstance(node.value, ast.Call)
        and called(node.value) in ("Lock", "RLock", "Semaphore", "BoundedSemaphore")
        for target in node.targets
    }
    for _ in range(3):  # what those call in turn
        pooled |= {
            called(call)
            for name in pooled & functions.keys()
            for call in calls(functions[name])
            if call not in _under_lock(functions[name], locks)
        }
    for name in sorted(pooled & functions.keys()):
        locked = _under_lock(functions[name], locks)
        for call in calls(functions[name]):
            if called(call) == "from_pretrained" and not is_config_or_processor(call) and call not in locked:
                yield call, "concurrent-from-pretrained"


def _names_given_to_threads(code: Code) -> set[str]:
    found: set[str] = set()
    pools = {
        dotted(item.optional_vars)
        for node in code.of(ast.With)
        for item in node.items
        if item.optional_vars is not None
        and isinstance(item.context_expr, ast.Call)
        and called(item.context_expr) in ("ThreadPoolExecutor", "ThreadPool")
    }
    pools |= {
        dotted(target)
        for node in code.of(ast.Assign)
        if isinstance(node.value, ast.Call) and called(node.value) in ("ThreadPoolExecutor", "ThreadPool")
        for target in node.targets
    }
    for call in code.of(ast.Call):
        target: ast.expr | None = None
        if called(call) == "Thread":
            target = keyword(call, "target")
        elif called(call) in ("map", "submit", "apply_async", "imap", "imap_unordered") and call.args:
            owner = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else None
            if owner in pools:
                target = call.args[0]
        elif called(call) in ("to_thread", "run_in_executor"):
            place = 1 if called(call) == "run_in_executor" else 0
            target = call.args[place] if len(call.args) > place else None
        name = dotted(target) if target is not None else None
        if name is not None:
            found.add(name.rpartition(".")[2])
    return found


def _under_lock(function: ast.FunctionDef, locks: set[str]) -> set[ast.AST]:
    found: set[ast.AST] = set()
    for node in walk(function):
        if isinstance(node, (ast.With, ast.AsyncWith)):
            entered = [ast.unparse(item.context_expr) for item in node.items]
            if any("lock" in name.lower() or name.rpartition(".")[2] in locks for name in entered):
                found |= set(walk(node))
    return found
