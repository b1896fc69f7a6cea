"""From the text of a Python file to findings: one walk in the order of execution."""

from __future__ import annotations

import ast
import contextlib
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable

from unmeta.scan.classes import (
    Place,
    class_findings,
    constructors_matter,
    hidden_buffers,
    is_config_or_processor,
    kept_on_meta,
    thread_findings,
)
from unmeta.scan.linked import SETTINGS, ReadFile, group, options
from unmeta.scan.rules import SAYS, Found, ignored
from unmeta.scan.tree import Code, SourceError, calls, deepest, inside, walk
from unmeta.scan.values import (
    DISPATCHED,
    EMPTIED,
    FILLED,
    HIDDEN,
    HOOKED,
    META,
    META_DEVICE,
    META_STATE,
    OFFLOADED_PIPE,
    OFFLOADED_STATE,
    UNKNOWN,
    Scope,
    Value,
    builders,
    called,
    dotted,
    keyword,
    may_offload,
    says_meta,
    text,
)
from unmeta.scan.words import META_WORDS, bare, constructors, holds, linked_values, ruled, threads, values

MOVES = ("to", "cuda", "cpu", "half", "float", "bfloat16", "double")
SAVES = ("save_pretrained", "state_dict")
DEVICE_MOVES = ("to", "cuda", "cpu")
CURES = (
    "load",
    "init",
    "reset",
    "fill",
    "broadcast",
    "restore",
    "apply",
    "copy",
    "materiali",
    "state_dict",
    "scatter",
)
OPTIMIZERS = ("Adam", "SGD", "Adagrad", "RMSprop", "Adafactor", "Lion", "Optimizer", "Muon")
LOADERS = ("from_pretrained", "from_single_file")
MATERIALISERS = ("to_empty", "materialize", "materialise")
HIDING_FAMILIES = (
    "Cohere", "Falcon", "Gemma", "GPTNeoX", "Granite", "Llama", "Mistral", "Mixtral", "Olmo", "Persimmon",
    "Phi", "Qwen", "StableLm", "Starcoder2",
)  # fmt: skip
"""Families of transformers whose models compute rotary tables outside the state dict."""
PASSES = 3
EFFECTS = frozenset({DISPATCHED, OFFLOADED_PIPE, "moved"})
"""What a function may do to a model that it is given, and its caller goes on with."""
EMPTY_CONTEXTS = ("init_empty_weights", "no_init_weights_on_meta")


COMMON = {
    "to", "load", "get", "save", "eval", "train", "forward", "from_pretrained", "state_dict",
    "load_state_dict", "save_pretrained", "items", "copy", "parameters", "cuda", "cpu", "build", "run",
    "step",
}  # fmt: skip
"""Names of methods that many classes have: one of the file does not tell what another does."""


def findings(source: str, path: str = "<code>", read: ReadFile | None = None) -> list[Found]:
    """All findings of one file, in the order of its lines. Raises SourceError for what cannot be followed.

    With `read`, which gives the text of other files, what the file imports from beside it is followed;
    findings in those files come too.
    """
    found = set(_findings([(path, source)]))
    files = group(path, source, read) if read is not None else []
    if len(files) > 1:
        with contextlib.suppress(SourceError):  # told where that file is looked at by itself
            found |= set(_findings(files))
    return sorted(found)


def _findings(files: list[tuple[str, str]]) -> Iterable[Found]:
    """Findings of files that are looked at as one program, the imported first."""
    if not any(ruled(source) for _, source in files):
        return
    texts = [bare(source) for _, source in files]
    text = "\n".join(texts)
    looks: list[Callable[[Code], Iterable[Place]]] = []
    if values(text) and (len(files) == 1 or linked_values(texts)):
        looks.append(lambda code: _Walk(code).run())
        if holds(text, *META_WORDS[:2]):
            looks.append(kept_on_meta)
    if threads(text):
        looks.append(thread_findings)
    if _may_build_wrong(texts):
        looks.append(class_findings)
    if not looks:
        return
    code = Code(files)
    try:
        places = {place for look in looks for place in look(code)}
    except RecursionError as error:
        (_, line), path = max((deepest(*file), file[0]) for file in files)
        raise SourceError(f"{path}:{line}: nested too deeply to be followed") from error
    sources = dict(files)
    for node, cause in places:
        where = code.path(node)
        found = Found(where, node.lineno, node.col_offset + 1, cause, SAYS[cause])
        if not ignored(sources[where].split("\n"), found):
            yield found


def _may_build_wrong(texts: list[str]) -> bool:
    """Whether all of a program is worth parsing for its constructors, which are looked at alone before."""
    *others, own = texts
    built = constructors(own, others)
    if built is None:
        return False
    try:
        return constructors_matter(Code([("", built)]))
    except (SourceError, RecursionError):
        return True


class _Walk:
    """Follows names through a module; functions of the file are followed into once, for what they return."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.hidden = hidden_buffers(code) if code.holds("register_buffer") else set()
        meta = code.holds(*META_WORDS)
        self.hidden |= _hiding_imports(code) if meta else set()
        self.builders = builders(code) if meta else set()
        self.found: set[Place] = set()
        self.returns: dict[str, Value] = {}
        self.returning: dict[str, Value] = {}
        self.changes: dict[str, dict[str, frozenset[str]]] = {}
        self.changing: dict[str, dict[str, frozenset[str]]] = {}
        self.parameters = {
            node.name: [argument.arg for argument in node.args.args if argument.arg not in ("self", "cls")]
            for node in code.functions()
        }
        self.shared: dict[str, Value] = {}
        self.given: dict[str, list[_Arguments]] = {}
        self.giving: dict[str, list[_Arguments]] = {}
        self.functions = set(self.parameters)
        self.modules = {"self", *(posixpath.basename(path)[:-3] for path, _ in code.files)}
        self.repoints = code.holds(".param_groups", ".set_swap_module_params_on_conversion")
        self.meta_contexts = self.buffer_contexts = 0
        self.default_meta: ast.expr | None = None
        self.optimizers: list[tuple[ast.Call, str]] = []
        self.emptied: dict[str, ast.Call] = {}
        self.unbuffered: dict[str, ast.Call] = {}
        self.raising = _raising(code) if code.holds("set_default_device") else set()
        self.finals = 0
        self.partly: dict[str, ast.Call] = {}
        self.early: list[tuple[ast.Call, str]] = []
        self.aliases: dict[str, set[str]] = {}
        self.same: dict[str, str] = {}
        self.options = options(code)
        self.classes = {node.name for node in code.of(ast.ClassDef)}
        self.within = ""
        self.maps = _maps(code) if code.holds("device_map") else set()
        self.cached = _cached(code) if code.holds("cache") else set()
        defined = Counter(node.name for node in code.of(ast.FunctionDef))
        self.once = {name for name in self.functions if defined[name] == 1} - COMMON

    def run(self) -> set[Place]:
        """Several passes: the first learn what functions are given and return."""
        for _ in range(PASSES):
            before = self.returns, self.given, self.changes, dict(self.shared)
            self.found.clear()
            self.early.clear()
            self.returning, self.giving, self.changing = {}, {}, {}
            self._body(self.code.body, Scope())
            self.returns, self.given, self.changes = self.returning, self.giving, self.changing
            if (self.returns, self.given, self.changes, self.shared) == before or not self._knows():
                break
        return self.found

    def _knows(self) -> bool:
        """Whether a pass more could tell more."""
        known = [*self.shared.values(), *self.returns.values()]
        passed = [value for calls in self.given.values() for call in calls for value in call.values()]
        return any(self.changes.values()) or any(value.facts or value.parts for value in (*known, *passed))

    def _add(self, node: ast.expr, cause: str) -> None:
        self.found.add((node, cause))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, outer: Scope) -> None:
        inner = outer.copy()
        names = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
        for name in names:
            inner.names.pop(name, None)
        inner.names |= self.shared
        key = f"{self.within}.__init__" if node.name == "__init__" and self.within else node.name
        inner.names |= _agreed(self.given.get(key, []), names, self._defaults(node))
        state = self.meta_contexts, self.default_meta, self.emptied, self.unbuffered, self.partly
        optimizers = self.optimizers
        self.meta_contexts, self.default_meta, self.optimizers = 0, None, []
        self.emptied, self.unbuffered, self.partly = {}, {}, {}
        result = self._body(node.body, inner)
        self._leave()
        if node.name == "__init__":
            self.early += [(call, model) for call, model in self.optimizers if model.startswith("self.")]
        self.meta_contexts, self.default_meta, self.emptied, self.unbuffered, self.partly = state
        self.optimizers = optimizers
        self.changing[node.name] = {
            name: inner.names[name].facts
            for name in names
            if name in inner.names and inner.names[name].facts & EFFECTS
        }
        if result is not None:
            other = self.returning.get(node.name)
            self.returning[node.name] = (
                result if other is None else Value(result.facts & other.facts, result.line)
            )
        for name, value in inner.names.items():
            if _is_shared(name) and value.facts:
                self.shared[name] = value

    def _leave(self) -> None:
        """At the end of a scope: what was allocated must have been filled."""
        for call in (*self.emptied.values(), *self.partly.values()):
            self._add(call, "to-empty-uninitialised")
        for call in self.unbuffered.values():
            self._add(call, "non-persistent-buffer-lost")
        if self.default_meta is not None:
            self._add(self.default_meta, "default-device-leak")

    def _body(self, body: list[ast.stmt], scope: Scope) -> Value | None:
        returned: Value | None = None
        for statement in body:
            found = self._statement(statement, scope)
            returned = found if found is not None else returned
        if body is self.code.body:
            self._leave()
        return returned

    def _statement(self, node: ast.stmt, scope: Scope) -> Value | None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._function(node, scope)
        elif isinstance(node, ast.ClassDef):
            inner, outside = scope.copy(), self.within
            self.within = node.name
            self._body(node.body, inner)
            self.within = outside
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            if node.value is not None:
                value = self._value(node.value, scope)
                if isinstance(node.value, (ast.Dict, ast.DictComp, ast.Constant, ast.BinOp)) or (
                    isinstance(node.value, ast.Call) and called(node.value) in ("dict", "fromkeys")
                ):
                    value = Value(value.facts, node.lineno, (node.value,))
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    self._assign(target, value, node.value, scope)
        elif isinstance(node, ast.AugAssign):
            self._value(node.value, scope)
            name = dotted(node.target)
            if name in scope.names and isinstance(node.value, ast.Dict):
                old = scope.names[name]
                scope.names[name] = Value(old.facts, old.line, (*old.literal, node.value))
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            return self._with(node, scope)
        elif isinstance(node, ast.Return):
            self._interrupted()
            if node.value is not None:
                value = self._value(node.value, scope)
                self.emptied.pop(dotted(node.value) or "", None)
                return value
        elif isinstance(node, ast.If):
            self._value(node.test, scope)
            taken = self._taken(node.test, scope)
            if taken is not None:
                way, other = (node.body, node.orelse) if taken else (node.orelse, node.body)
                self._body(other, scope.copy())
                return self._body(way, scope)
            return self._branches([node.body, node.orelse], scope)
        elif isinstance(node, ast.Raise):
            self._interrupted()
        elif isinstance(node, ast.Try):
            self.finals += _resets_default(node)
            result = self._body(node.body, scope)
            self.finals -= _resets_default(node)
            for handler in node.handlers:
                self._body(handler.body, scope.copy())
            later = self._body([*node.orelse, *node.finalbody], scope)
            return later if later is not None else result
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            self._value(node.test if isinstance(node, ast.While) else node.iter, scope)
            if not isinstance(node, ast.While):
                within = {name for part in walk(node.iter) if (name := dotted(part)) is not None}
                for part in walk(node.target):
                    if isinstance(part, ast.Name):
                        self.aliases[part.id] = within
                if isinstance(node.iter, (ast.Tuple, ast.List)) and isinstance(node.target, ast.Name):
                    values = [self._value(part, scope) for part in node.iter.elts]
                    facts = frozenset.intersection(*(v.facts for v in values)) if values else frozenset()
                    scope.names[node.target.id] = Value(facts, node.lineno)
            return self._body([*node.body, *node.orelse], scope)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self._value(child, scope)
        return None

    def _assign(self, target: ast.expr, value: Value, given: ast.expr, scope: Scope) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for part, inner in zip(target.elts, value.parts, strict=False):
                self._assign(part, inner, given, scope)
            return
        name = dotted(target)
        if name is not None:
            scope.names[name] = value
            self.same.pop(name, None)
            path = _path(given) if isinstance(given, ast.Call) else None
            if path is not None and _is_shared(path) and path != name:
                self.same[name] = path
            self._recomputed(name, scope)
            self._forget(name, given)

    def _recomputed(self, name: str, scope: Scope) -> None:
        """A part of a model is given anew: after a load a buffer, before one a parameter."""
        owner = name.rpartition(".")[0]
        if owner in scope.names:
            scope.names[owner] = scope.names[owner].with_(FILLED)
        for known, value in scope.names.items():
            if value.has(HIDDEN) and name.startswith(f"{known}."):
                scope.names[known] = value.with_(without=(HIDDEN,))
        for model in list(self.unbuffered):
            if name.startswith(f"{model}."):
                self.unbuffered.pop(model)

    def _forget(self, name: str, value: ast.expr) -> None:
        """A name that is given anew no longer stands for what was emptied, unless it is the same model."""
        if name in self.emptied and self.emptied[name] not in set(walk(value)):
            self.emptied.pop(name, None)

    def _branches(self, bodies: list[list[ast.stmt]], scope: Scope) -> Value | None:
        scopes, result = [], None
        for body in bodies:
            branch = scope.copy()
            found = self._body(body, branch)
            result = found if found is not None else result
            if not (body and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))):
                scopes.append(branch)
        if scopes:
            scope.join(*scopes)
        return result

    def _interrupted(self) -> None:
        """A way out before the default device is put back."""
        if self.default_meta is not None and not self.finals:
            self._add(self.default_meta, "default-device-leak")

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> Value | None:
        entered = with_buffers = 0
        for item in node.items:
            expression = item.context_expr
            either = (
                [expression.body, expression.orelse] if isinstance(expression, ast.IfExp) else [expression]
            )
            if any(self._is_meta(part, scope) for part in either):
                entered += 1
                with_buffers += 1
            elif any(isinstance(part, ast.Call) and called(part) in EMPTY_CONTEXTS for part in either):
                entered += 1
            else:
                value = self._value(expression, scope)
                if item.optional_vars is not None and (name := dotted(item.optional_vars)) is not None:
                    scope.names[name] = value
        self.meta_contexts += entered
        self.buffer_contexts += with_buffers
        result = self._body(node.body, scope)
        self.meta_contexts -= entered
        self.buffer_contexts -= with_buffers
        return result

    def _value(self, node: ast.expr, scope: Scope) -> Value:
        if isinstance(node, ast.Call):
            return self._call(node, scope)
        if says_meta(node):
            return Value(frozenset({META_DEVICE}), node.lineno)
        if isinstance(node, ast.Tuple):
            parts = tuple(self._value(part, scope) for part in node.elts)
            return Value(line=node.lineno, parts=parts)
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            self._interrupted()
        if isinstance(node, (ast.DictComp, ast.Dict)):
            return self._mapping(node, scope)
        if isinstance(node, ast.Attribute) and node.attr == "device":
            held = self._value(node.value, scope)
            if held.has(META) and not held.facts & {FILLED, EMPTIED}:
                return Value(frozenset({META_DEVICE}), node.lineno)
        name = dotted(node)
        if name is not None:
            if name not in scope.names and isinstance(node, ast.Attribute):
                option = self._option(node)
                if option is not None and says_meta(option):
                    return Value(frozenset({META_DEVICE}), node.lineno)
            return scope.names.get(name, UNKNOWN)
        if isinstance(node, ast.IfExp):
            self._value(node.test, scope)
            return self._value(node.body, scope)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            self._value(node.generators[0].iter, scope)  # once, with names of this scope
            return UNKNOWN
        if isinstance(node, ast.Lambda):
            return UNKNOWN
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._value(child, scope)
        return UNKNOWN

    def _option(self, node: ast.expr) -> ast.Constant | None:
        """The constant that an option stands for: an attribute of what holds options by its name."""
        if not isinstance(node, ast.Attribute) or node.attr not in self.options:
            return None
        owner = (dotted(node.value) or "").rpartition(".")[2]
        holds = owner == "a" or owner in self.classes or any(word in owner.lower() for word in SETTINGS)
        return self.options[node.attr] if holds else None

    def _taken(self, test: ast.expr, scope: Scope) -> bool | None:
        """Whether a condition holds, as far as constants tell: options that are on, arguments, no None."""
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            left, right = test.left, test.comparators[0]
            if not isinstance(right, ast.Constant):
                return None
            if isinstance(test.ops[0], (ast.Is, ast.IsNot)) and right.value is None:
                model = self._value(left, scope)
                known = bool(model.facts & {META, DISPATCHED, OFFLOADED_PIPE})
                return isinstance(test.ops[0], ast.IsNot) if known else None
            option = self._option(left)
            if isinstance(test.ops[0], ast.Eq) and (
                self._value(left, scope).has(f"={right.value!r}")
                or (option is not None and option.value == right.value)
            ):
                return True
            return None
        option = self._option(test)
        if option is not None:
            return True if option.value is True else None
        name = dotted(test)
        return True if name is not None and scope.names.get(name, UNKNOWN).has("=True") else None

    def _defaults(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, Value]:
        """What parameters are where a call leaves them out."""
        last = node.args.args[len(node.args.args) - len(node.args.defaults) :]
        pairs = [*zip(last, node.args.defaults, strict=True)]
        pairs += [
            (argument, default)
            for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if default is not None
        ]
        return {argument.arg: self._passed(default, Scope()) for argument, default in pairs}

    def _passed(self, node: ast.expr, scope: Scope) -> Value:
        """A value as an argument: a constant is remembered."""
        option = self._option(node)
        constant = option if option is not None else node
        if isinstance(constant, ast.Constant) and (constant.value is True or isinstance(constant.value, str)):
            if says_meta(constant):
                return Value(frozenset({META_DEVICE}), node.lineno)
            return Value(frozenset({f"={constant.value!r}"}), node.lineno)
        return self._value(node, scope)

    def _changed(self, node: ast.Call, name: str, scope: Scope) -> None:
        """What a function of the file does to the models that it is given."""
        for parameter, facts in self.changes.get(name, {}).items():
            position = self.parameters[name].index(parameter) if parameter in self.parameters[name] else -1
            given = keyword(node, parameter)
            if given is None and 0 <= position < len(node.args):
                given = node.args[position]
            model = dotted(given) if given is not None else None
            if model is not None and "moved" in facts:
                scope.names[model] = Value(facts, node.lineno)
            elif model is not None and not scope.names.get(model, UNKNOWN).has(FILLED):
                scope.names[model] = scope.names.get(model, UNKNOWN).with_(*(facts & EFFECTS))

    def _mapping(self, node: ast.Dict | ast.DictComp, scope: Scope) -> Value:
        """A dictionary: it holds a state dict of offloaded weights where some part of it is one."""
        if isinstance(node, ast.DictComp):
            inner = [
                *(self._value(item.iter, scope) for item in node.generators),
                self._value(node.value, scope),
            ]
        else:
            inner = [self._value(value, scope) for value in node.values]
        states = (OFFLOADED_STATE, META_STATE)
        facts = frozenset(fact for fact in states if any(value.has(fact) for value in inner))
        return Value(facts, node.lineno)

    def _call(self, node: ast.Call, scope: Scope) -> Value:
        name = called(node)
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if isinstance(node.func, ast.Call):
            self._value(node.func, scope)
        held = self._value(receiver, scope) if receiver is not None else UNKNOWN
        arguments = [self._value(argument, scope) for argument in node.args]
        named = {item.arg: self._value(item.value, scope) for item in node.keywords}
        if name in self.functions or name in self.classes:
            passed: _Arguments = {}
            for place, argument in enumerate(node.args):
                constant = isinstance(argument, (ast.Constant, ast.Attribute))
                passed[place] = self._passed(argument, scope) if constant else arguments[place]
            for item in node.keywords:
                if item.arg is not None:
                    constant = isinstance(item.value, (ast.Constant, ast.Attribute))
                    passed[item.arg] = self._passed(item.value, scope) if constant else named[item.arg]
            key = f"{name}.__init__" if name in self.classes else name
            self.giving.setdefault(key, []).append(passed)
            if name in self.functions:
                self._changed(node, name, scope)
        path = _path(receiver)
        if name == "update" and path in scope.names and node.args:
            old = scope.names[path or ""]
            scope.names[path or ""] = Value(old.facts, old.line, (*old.literal, *node.args))
        kept = isinstance(receiver, ast.Call) and called(receiver) in self.cached
        if name == "to" and kept and self._is_meta(_target(node), scope):
            self._add(node, "moved-to-meta-to-free")
        if receiver is not None and held.facts:
            self._method(node, name, held, scope)
        elif receiver is not None and (name in MOVES or name in SAVES):
            self._of_pipe(node, name, scope)
        self._function_call(node, name, arguments, scope)
        self._cured(node, name, path, scope)
        return self._result(node, name, path, held, scope)

    def _method(self, node: ast.Call, name: str, held: Value, scope: Scope) -> None:
        """Calls on a value that something is known of."""
        if name in MOVES and _moves(node, name):
            if name == "to" and self._is_meta(_target(node), scope):
                return
            if held.has(DISPATCHED):
                self._add(node, "to-after-dispatch")
            elif held.has(OFFLOADED_PIPE):
                self._add(node, "diffusers-offload")
            elif held.has(META) and not held.has(FILLED) and name in DEVICE_MOVES and _to_device(node, name):
                gone = held.has("moved")
                self._add(node, "moved-to-meta-to-free" if gone else "module-to-on-meta")
        elif name == "load_state_dict" and held.has(HIDDEN) and _assigns(node, held):
            receiver = _path(node.func.value) if isinstance(node.func, ast.Attribute) else None
            self.unbuffered[receiver or ""] = node
        elif name == "load_state_dict" and held.has(META) and not held.has(EMPTIED):
            assign = keyword(node, "assign")
            if assign is None or (isinstance(assign, ast.Constant) and assign.value is False):
                self._add(node, "load-state-dict-no-op")
        if name == "save_pretrained" and held.has(OFFLOADED_PIPE):
            self._add(node, "diffusers-offload")
        elif name == "save_pretrained" and held.has(HOOKED):
            self._add(node, "save-offloaded-model")
        if name == "load_state_dict" and held.has(EMPTIED) and not held.has(FILLED) and _is_partial(node):
            path = _path(node.func.value) if isinstance(node.func, ast.Attribute) else None
            self.partly[path or ""] = node

    def _of_pipe(self, node: ast.Call, name: str, scope: Scope) -> None:
        """A part of a pipeline with sequential offload is moved or saved."""
        path = dotted(node.func.value) if isinstance(node.func, ast.Attribute) else None
        owner = (path or "").rpartition(".")[0]
        while owner:
            if scope.names.get(owner, UNKNOWN).has(OFFLOADED_PIPE) and (name in SAVES or _moves(node, name)):
                self._add(node, "diffusers-offload")
                return
            owner = owner.rpartition(".")[0]

    def _function_call(self, node: ast.Call, name: str, arguments: list[Value], scope: Scope) -> None:
        first = arguments[0] if arguments else UNKNOWN
        if name == "dispatch_model" and first.has(META) and not first.has(FILLED):
            self._add(node, "dispatch-model-without-weights")
        elif name == "load_state_dict" and first.has(META_STATE):
            self._add(node, "torch-load-to-meta")
        elif self.meta_contexts and name in LOADERS and not is_config_or_processor(node):
            self._add(node, "default-device-leak")
        elif (name == "pipeline" or name.endswith("Pipeline")) and keyword(node, "device") is not None:
            model = keyword(node, "model")
            given = self._value(model, scope) if model is not None else UNKNOWN
            mapped = self._may_offload(keyword(node, "device_map"), scope)
            if mapped or any(value.has(DISPATCHED) for value in (given, *arguments)):
                self._add(node, "pipeline-device-conflict")
        elif name in ("save", "save_file") and node.args:
            if first.has(OFFLOADED_STATE):
                self._add(node, "save-offloaded-model")
        elif name == "load_model" and first.has(META) and not first.facts & {FILLED, EMPTIED}:
            self._add(node, "load-state-dict-no-op")
        elif name == "set_default_device":
            self.default_meta = node if node.args and self._is_meta(node.args[0], scope) else None
        elif self.default_meta is not None and name in self.raising and not self.finals:
            self._interrupted()
        elif name.endswith(OPTIMIZERS) or name.startswith(OPTIMIZERS) or name == "list":
            self._optimizer(node, scope)

    def _optimizer(self, node: ast.Call, scope: Scope) -> None:
        """Remember an optimizer or a list that is given the parameters of a model on meta and keeps them."""
        if self.repoints:
            return
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Call) or called(first) != "parameters":
            return
        model = dotted(first.func.value) if isinstance(first.func, ast.Attribute) else None
        held = scope.names.get(model, UNKNOWN) if model is not None else UNKNOWN
        if model is not None and held.has(META) and not held.facts & {FILLED, EMPTIED}:
            self.optimizers.append((node, model))

    def _cured(self, node: ast.Call, name: str, path: str | None, scope: Scope) -> None:
        """What fills a model: a call on it, or one that is given it, whose name says so."""
        plain = (dotted(node.func) or name).lower()
        if name in ("state_dict", "parameters") or not any(cure in plain for cure in CURES):
            return
        names = [path] if path is not None and name != "to_empty" else []
        names += [found for argument in node.args if (found := dotted(argument)) is not None]
        names += [found for item in node.keywords if (found := dotted(item.value)) is not None]
        for found in list(names):
            names += self.aliases.get(found.partition(".")[0], ())
        assigned = name == "load_state_dict" and keyword(node, "assign") is not None
        for found in names:
            if name != "load_state_dict":
                self._recomputed(f"{found}.", scope)
            owners = [known for known in scope.names if _within(found, known)]
            for owner in owners:
                if assigned:
                    self._replaced(owner)
                scope.names[owner] = scope.names[owner].with_(FILLED)
            for waiting in [self.emptied] if name == "load_state_dict" else [self.emptied, self.partly]:
                for known in list(waiting):
                    if _within(found, known) or _within(known, found) or found in self.aliases.get(known, ()):
                        waiting.pop(known)

    def _replaced(self, model: str) -> None:
        """The parameters of a model are new ones from here on."""
        for optimizer, owner in (*self.optimizers, *self.early):
            if owner == model:
                self._add(optimizer, "optimizer-before-materialise")

    def _result(self, node: ast.Call, name: str, path: str | None, held: Value, scope: Scope) -> Value:
        line = node.lineno
        if name in LOADERS:
            dispatched = self._may_offload(_device_map(node, scope), scope)
            return Value(frozenset({DISPATCHED} if dispatched else {FILLED}), line)
        if name in ("load_checkpoint_and_dispatch", "dispatch_model", "cpu_offload", "disk_offload"):
            if node.args and (model := dotted(node.args[0])) is not None:
                scope.names[model] = Value(frozenset({DISPATCHED}), line)
            mapped = name != "load_checkpoint_and_dispatch" or self._may_offload(
                _device_map(node, scope), scope
            )
            if name in ("cpu_offload", "disk_offload") and node.args and dotted(node.args[0]) is not None:
                scope.names[dotted(node.args[0]) or ""] = Value(frozenset({DISPATCHED, HOOKED}), line)
            return Value(frozenset({DISPATCHED} if mapped else {FILLED}), line)
        if name == "enable_sequential_cpu_offload" and path is not None:
            scope.names[path] = Value(frozenset({OFFLOADED_PIPE}), line)
            return UNKNOWN
        if name in ("remove_all_hooks", "remove_hook_from_submodules", "remove_hook_from_module"):
            for known in (path, dotted(node.args[0]) if node.args else None):
                if known is not None:
                    scope.names[known] = Value(frozenset({FILLED}), line)
            return UNKNOWN
        if name == "to_empty":
            if path is not None:
                self._replaced(path)
            if path is not None and path != "self":
                scope.names[path] = held.with_(EMPTIED, without=(META,) if not held.has(META) else ())
                self.emptied[path] = node
            return held.with_(EMPTIED)
        if name == "state_dict":
            return Value(frozenset({OFFLOADED_STATE}) if held.has(DISPATCHED) else frozenset(), line)
        if name in ("items", "copy") and held.has(OFFLOADED_STATE):
            return held
        if name == "to" and self._is_meta(_target(node), scope):
            moved = Value(frozenset({META, "moved"}), line)
            if path in self.same:
                scope.names[self.same[path or ""]] = moved
            if path is not None and path in scope.names and not held.has(META_STATE):
                scope.names[path] = moved
            return moved
        if name in (*MOVES, "eval", "train", "requires_grad_"):
            return held
        if name in ("load", "load_file"):
            device = keyword(node, "map_location" if name == "load" else "device")
            if self._is_meta(device, scope):
                if isinstance(device, ast.Call) and called(device) == "str":
                    device = device.args[0] if device.args else device
                if isinstance(device, ast.Attribute) and device.attr == "device":
                    self._add(node, "torch-load-to-meta")  # the device of a model that waits for its weights
                return Value(frozenset({META_STATE}), line)
        if name == "str" and node.args:
            return self._value(node.args[0], scope)
        if name == "safe_open" and self._is_meta(keyword(node, "device"), scope):
            return Value(frozenset({META_STATE}), line)
        if name in ("get_tensor", "keys", "items") and held.has(META_STATE):
            return held
        if name == "device" and node.args and self._is_meta(node.args[0], scope):
            return Value(frozenset({META_DEVICE}), line)
        if name == "next" and node.args and isinstance(node.args[0], ast.Call):
            inner = node.args[0]
            if called(inner) == "parameters" and isinstance(inner.func, ast.Attribute):
                return self._value(inner.func.value, scope)
        own = isinstance(node.func, ast.Attribute) and (
            dotted(node.func.value) in self.modules or name in self.once
        )
        built = _builds(name) or ((isinstance(node.func, ast.Name) or own) and name in self.builders)
        given = [keyword(node, "device"), *(node.args if name in self.classes else ())]
        built = built and bool(self.meta_contexts or any(self._is_meta(item, scope) for item in given))
        if not built and name in self.returns and (isinstance(node.func, ast.Name) or own):
            return self.returns[name]
        if built:
            buffers = name in self.hidden and bool(self.buffer_contexts)
            return Value(frozenset({META, HIDDEN} if buffers else {META}), line)
        return UNKNOWN

    def _may_offload(self, node: ast.expr | None, scope: Scope) -> bool:
        if isinstance(node, ast.Call) and called(node) in self.maps:
            return True
        literal = scope.names.get(dotted(node) or "", UNKNOWN).literal if node is not None else ()
        return may_offload(node, scope) or any(
            isinstance(part, ast.Call) and called(part) in self.maps for part in literal
        )

    def _is_meta(self, node: ast.expr | None, scope: Scope) -> bool:
        """Whether an expression is the meta device, also as the device of a model that is on it."""
        if node is None:
            return False
        return says_meta(node) or self._value(node, scope).has(META_DEVICE)


_Arguments = dict["int | str", Value]


def _agreed(calls: list[_Arguments], names: list[str], defaults: dict[str, Value]) -> dict[str, Value]:
    """What is known of a function's parameters: what all calls of the file agree on."""
    agreed = {}
    own = names[1:] if names[:1] in (["self"], ["cls"]) else names
    for position, name in enumerate(own):
        default = defaults.get(name, UNKNOWN)
        values = [call.get(name, call.get(position, default)) for call in calls]
        if values:
            facts = frozenset.intersection(*(value.facts for value in values))
            if facts:
                agreed[name] = Value(facts, values[0].line)
    return agreed


def _hiding_imports(code: Code) -> set[str]:
    """Models imported from transformers that compute a buffer outside the state dict."""
    return {
        alias.asname or alias.name
        for node in code.of(ast.ImportFrom)
        if (node.module or "").partition(".")[0] == "transformers"
        for alias in node.names
        if alias.name.startswith(HIDING_FAMILIES) and not alias.name.endswith(("Config", "Processor"))
    }


def _maps(code: Code) -> set[str]:
    """Functions that return a mapping with the word "disk" in it."""
    return {
        node.name
        for node in code.of(ast.FunctionDef)
        if any(isinstance(part, ast.Return) and part.value is not None for part in inside(node))
        and any(
            isinstance(part, (ast.Dict, ast.DictComp)) and any(text(word) == "disk" for word in walk(part))
            for part in inside(node)
        )
    }


def _cached(code: Code) -> set[str]:
    """Functions whose result is kept for the next call."""
    found = set()
    for node in code.of(ast.FunctionDef):
        marks = [part.func if isinstance(part, ast.Call) else part for part in node.decorator_list]
        if any((dotted(mark) or "").rpartition(".")[2] in ("cache", "lru_cache") for mark in marks):
            found.add(node.name)
    return found


def _device_map(node: ast.Call, scope: Scope) -> ast.expr | None:
    """The device map that a call is given, also in `**options`."""
    found = keyword(node, "device_map")
    if found is not None:
        return found
    for item in node.keywords:
        options = dotted(item.value) if item.arg is None else None
        for literal in scope.names.get(options, UNKNOWN).literal if options is not None else ():
            if isinstance(literal, ast.Dict):
                for key, value in zip(literal.keys, literal.values, strict=True):
                    if text(key) == "device_map":
                        return value
            elif isinstance(literal, ast.Call) and keyword(literal, "device_map") is not None:
                return keyword(literal, "device_map")
    return None


def _raising(code: Code) -> set[str]:
    """Functions of the program that raise by themselves."""
    return {
        node.name for node in code.functions() if any(isinstance(part, ast.Raise) for part in inside(node))
    }


def _resets_default(node: ast.Try) -> bool:
    """Whether the last part of a try puts the default device back."""
    ends = [call for item in node.finalbody for call in calls(item)]
    return any(called(call) in ("set_default_device", "__exit__", "close") for call in ends)


def _is_partial(node: ast.Call) -> bool:
    """Whether load_state_dict() goes on where keys are missing."""
    strict = keyword(node, "strict")
    if strict is None and len(node.args) > 1:
        strict = node.args[1]
    return isinstance(strict, ast.Constant) and strict.value is False


def _is_shared(name: str) -> bool:
    """Whether other functions see a name: an attribute of `self`, or an item of a mapping."""
    return name.startswith("self.") or "[" in name


def _within(name: str, owner: str) -> bool:
    """Whether a dotted name is another or a part of it."""
    return name == owner or name.startswith((f"{owner}.", f"{owner}["))


def _path(node: ast.expr | None) -> str | None:
    """The name that a chain of calls begins with: `model` of `model.to_empty(...).eval()`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in ("to_empty", "eval", "train", "get_submodule", *MOVES):
            return None
        node = node.func.value
    return dotted(node) if node is not None else None


def _assigns(node: ast.Call, held: Value) -> bool:
    """Whether a load_state_dict() fills the parameters of a model that was built on meta."""
    return held.has(EMPTIED) or keyword(node, "assign") is not None


def _builds(name: str) -> bool:
    """Whether a call makes a module, by custom: a capitalised name, or from_config()."""
    return name in ("from_config", "_from_config") or (name[:1].isupper() and not name.isupper())


def _moves(node: ast.Call, name: str) -> bool:
    return name != "to" or bool(node.args or node.keywords)


def _target(node: ast.Call) -> ast.expr | None:
    """Where `.to()` moves."""
    return node.args[0] if node.args else keyword(node, "device")


def _to_device(node: ast.Call, name: str) -> bool:
    """Whether a move names a device and not only a dtype."""
    if name != "to":
        return True
    if keyword(node, "device") is not None:
        return True
    first = node.args[0] if node.args else None
    path = dotted(first) if first is not None else None
    if path is not None and path.startswith("torch.") and path != "torch.device":
        return False
    return first is not None and (text(first) is not None or "dtype" not in (path or ""))
