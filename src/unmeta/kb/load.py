"""Read a knowledge base from disk, strictly: every finding names its file, line and remedy.

Duplicate keys, unknown keys, wrong types, tabs and YAML bombs are findings, never tracebacks; all
findings of all files are gathered before the loader gives up.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, TypeAdapter, ValidationError

from unmeta.kb.findings import Finding
from unmeta.kb.model import Cause, Fact, Id, Noise, Report, Stack, Symptom
from unmeta.kb.snippets import Case, Snippet, case_of_fact, cases_of_cause

MAX_FILE = 256 * 1024
MAX_VALUES = 20_000
KINDS: Mapping[str, type[BaseModel]] = {"causes": Cause, "symptoms": Symptom, "facts": Fact}

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ID = TypeAdapter(Id)


class _TooManyValuesError(Exception):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(str(finding))


class CatalogueError(ValueError):
    """The knowledge base cannot be read; `findings` say where and why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = sorted(findings)
        super().__init__("\n".join(map(str, self.findings)))


@dataclass(frozen=True)
class Catalogue:
    """The whole knowledge base in memory; ids are keys, in alphabetical order.

    `noise` are messages that the judge passes over, `reports` the public ones that were labelled.

    `lines` maps (folder, id) to the line of every key in that file, for findings of later checks.
    """

    causes: Mapping[str, Cause]
    symptoms: Mapping[str, Symptom]
    facts: Mapping[str, Fact]
    stacks: Mapping[str, Stack]
    snippets: Mapping[str, Snippet]
    noise: Sequence[Noise] = ()
    reports: Sequence[Report] = ()
    lines: Mapping[tuple[str, str], Mapping[tuple[str | int, ...], int]] = field(
        default_factory=dict, repr=False
    )

    @property
    def reference(self) -> Stack:
        """The stack whose runs must be fresh and right."""
        return next(stack for stack in self.stacks.values() if stack.reference)

    def cases(self) -> list[Case]:
        """Every claim about a snippet, causes before facts."""
        of_causes = [case for cause in self.causes.values() for case in cases_of_cause(cause)]
        return of_causes + [case_of_fact(fact) for fact in self.facts.values()]

    def case(self, key: str) -> Case | None:
        """The claim about one snippet, by key; None where no entry speaks of it."""
        return next((case for case in self.cases() if case.key == key), None)

    def line(self, folder: str, entry: str, *path: str | int) -> int:
        """Line of the deepest known key on `path` in an entry's file; 1 where nothing is known."""
        known = self.lines.get((folder, entry), {})
        for end in range(len(path), -1, -1):
            if path[:end] in known:
                return known[path[:end]]
        return 1


def load(root: Path) -> Catalogue:
    """Read `root/kb` and `root/snippets`.

    Raises CatalogueError with every finding where anything cannot be read.
    """
    findings: list[Finding] = []
    entries: dict[str, dict[str, Any]] = {}
    lines: dict[tuple[str, str], Mapping[tuple[str | int, ...], int]] = {}
    kb = root / "kb"
    if not kb.is_dir():
        raise CatalogueError(
            [Finding("kb", 1, "no-catalogue", f"{kb} is not a folder", "run from the project's root")]
        )
    for folder, model in KINDS.items():
        entries[folder] = {}
        for path in sorted((kb / folder).glob("*")):
            shown = path.relative_to(root).as_posix()
            if path.name.startswith("."):
                continue
            if path.suffix != ".yaml" or not path.is_file():
                findings.append(
                    Finding(shown, 1, "stray-file", "only <id>.yaml files live here", "move or delete it")
                )
                continue
            found, entry, where = _read_entry(path, shown, model)
            findings += found
            if entry is not None:
                entries[folder][path.stem] = entry
                lines[folder, path.stem] = where
    stacks = _read_stacks(kb / "stacks.toml", "kb/stacks.toml", findings)
    noise = _read_noise(kb / "noise.toml", "kb/noise.toml", findings)
    reports = _read_reports(kb / "reports.jsonl", "kb/reports.jsonl", findings)
    snippets = _read_snippets(root, findings)
    if findings:
        raise CatalogueError(findings)
    return Catalogue(
        entries["causes"], entries["symptoms"], entries["facts"], stacks, snippets, noise, reports, lines
    )


def _read_entry(
    path: Path, shown: str, model: type[BaseModel]
) -> tuple[list[Finding], Any, Mapping[tuple[str | int, ...], int]]:
    try:
        _ID.validate_python(path.stem)
    except ValidationError:
        remedy = f"rename it to {re.sub(r'[^a-z0-9]+', '-', path.stem.lower()).strip('-') or 'a-name'}.yaml"
        message = f"{path.stem!r} is not an id: lower-case words joined by single hyphens"
        return [Finding(shown, 1, "bad-id", message, remedy)], None, {}
    try:
        raw = path.read_bytes()
        if len(raw) > MAX_FILE:
            message = f"{len(raw):,} bytes; an entry has at most {MAX_FILE:,}"
            return [Finding(shown, 1, "too-large", message, "split the entry")], None, {}
        text = raw.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return [Finding(shown, 1, "unreadable", str(error), "save it as UTF-8 text")], None, {}
    where: dict[tuple[str | int, ...], int] = {}
    try:
        node = yaml.compose(text, Loader=_Loader)
        problems: list[Finding] = []
        data = _plain(node, shown, (), where, problems) if node is not None else None
    except _TooManyValuesError as error:
        return [error.finding], None, {}
    except (yaml.YAMLError, RecursionError) as error:
        return [_yaml_finding(error, text, shown)], None, {}
    if problems:
        return problems, None, where
    if not isinstance(data, dict):
        message = "the file is empty" if data is None else "an entry is a mapping of keys to values"
        return [Finding(shown, 1, "not-an-entry", message, "see `unmeta new ID`")], None, where
    if "id" in data:
        remedy = "delete the key: the file name is the id"
        return [Finding(shown, where["id",], "repeated-id", "the entry repeats its id", remedy)], None, where
    try:
        return [], model.model_validate({"id": path.stem, **data}), where
    except ValidationError as error:
        return [_model_finding(item, model, shown, where) for item in error.errors()], None, where


def _plain(
    node: Any,
    shown: str,
    path: tuple[str | int, ...],
    where: dict[tuple[str | int, ...], int],
    problems: list[Finding],
) -> Any:
    """Turn a composed YAML node into plain data, noting lines and refusing what hides mistakes."""
    line = node.start_mark.line + 1
    where[path] = line
    if len(where) > MAX_VALUES:
        # Aliases expand here: a few lines of YAML can stand for billions of values.
        raise _TooManyValuesError(
            Finding(
                shown,
                line,
                "too-many-values",
                f"over {MAX_VALUES:,} values",
                "write values out: anchors and aliases are not used here",
            )
        )
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            at = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode) or key == "<<":
                problems.append(Finding(shown, at, "bad-key", "keys are plain words", "write the values out"))
                continue
            if key in result:
                problems.append(
                    Finding(shown, at, "duplicate-key", f"{key!r} stands twice", "keep one of them")
                )
                continue
            result[key] = _plain(value_node, shown, (*path, key), where, problems)
            where[*path, key] = at
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, shown, (*path, i), where, problems) for i, item in enumerate(node.value)]
    return _scalar(node)


def _scalar(node: Any) -> Any:
    """Only null, booleans and whole numbers are anything but text; a version stays as written."""
    if node.style is not None:
        return node.value
    tag = node.tag.rpartition(":")[2]
    if tag == "null":
        return None
    if tag == "bool":
        return node.value.lower() in ("true", "yes", "on")
    if tag == "int" and node.value.isdigit():
        return int(node.value)
    return node.value


def _yaml_finding(error: Exception, text: str, shown: str) -> Finding:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else 1
    content = text.splitlines()
    if mark and line <= len(content) and "\t" in content[line - 1]:
        return Finding(shown, line, "tab", "a tab in the indentation", "indent with spaces")
    problem = getattr(error, "problem", None) or str(error) or type(error).__name__
    remedy = "quote a value that holds ': ' or starts with a special sign" if mark else "simplify the file"
    return Finding(shown, line, "bad-yaml", problem, remedy)


def _model_finding(
    item: Any, model: type[BaseModel], shown: str, where: Mapping[tuple[str | int, ...], int]
) -> Finding:
    loc = tuple(part for part in item["loc"] if not (isinstance(part, str) and "function-" in part))
    end = next((n for n in range(len(loc), -1, -1) if loc[:n] in where), 0)
    line = where.get(loc[:end], 1)
    name = ".".join(str(part) for part in loc) or model.__name__.lower()
    if item["type"] == "extra_forbidden":
        known = _keys_at(model, loc[:-1])
        near = difflib.get_close_matches(str(loc[-1]), known, 1)
        remedy = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}"
        return Finding(shown, line, "unknown-key", f"unknown key {name!r}", remedy)
    if item["type"] == "missing":
        return Finding(shown, line, "missing-key", f"{name!r} is missing", "add it")
    message = item["msg"].removeprefix("Value error, ")
    return Finding(shown, line, "bad-value", f"{name}: {message}", "see kb/schema and CONTRIBUTING.md")


def _keys_at(model: type[BaseModel], loc: tuple[Any, ...]) -> list[str]:
    """Keys that the model knows at a place of the document."""
    current: type[BaseModel] = model
    for part in loc:
        if isinstance(part, int) or part not in current.model_fields:
            continue
        inner = _model_in(current.model_fields[part].annotation)
        if inner is not None:
            current = inner
    return [name for name in current.model_fields if name != "id" or current not in KINDS.values()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for arg in get_args(annotation) if (found := _model_in(arg))), None)


def _read_toml(path: Path, shown: str, findings: list[Finding]) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else 1
        findings.append(
            Finding(shown, line, "bad-toml", str(error), "write `name = value` lines and [tables]")
        )
        return {}


def _read_stacks(path: Path, shown: str, findings: list[Finding]) -> dict[str, Stack]:
    if not path.is_file():
        findings.append(Finding(shown, 1, "no-stacks", "the file is missing", "name at least one stack"))
        return {}
    stacks: dict[str, Stack] = {}
    for name, body in _read_toml(path, shown, findings).items():
        if not isinstance(body, dict):
            findings.append(Finding(shown, 1, "bad-value", f"{name} is not a table", f"write [{name}]"))
            continue
        try:
            stacks[name] = Stack.model_validate({"id": name, **body})
        except ValidationError as error:
            findings += [_model_finding(item, Stack, shown, {}) for item in error.errors()]
    if stacks and sum(stack.reference for stack in stacks.values()) != 1:
        remedy = "set reference = true on one"
        findings.append(Finding(shown, 1, "one-reference", "exactly one stack is the reference", remedy))
    return stacks


def _read_noise(path: Path, shown: str, findings: list[Finding]) -> list[Noise]:
    if not path.is_file():
        return []
    noise = []
    for item in _read_toml(path, shown, findings).get("noise", []):
        try:
            noise.append(Noise.model_validate(item))
        except ValidationError as error:
            findings += [_model_finding(problem, Noise, shown, {}) for problem in error.errors()]
    return noise


def _read_reports(path: Path, shown: str, findings: list[Finding]) -> list[Report]:
    """One report a line, in the order of the file; line numbers of findings are those of the file."""
    if not path.is_file():
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        findings.append(Finding(shown, 1, "unreadable", str(error), "save it as UTF-8 text"))
        return []
    reports = []
    for number, line in enumerate(lines, 1):
        try:
            reports.append(Report.model_validate_json(line))
        except ValidationError as error:
            for item in error.errors():
                if item["type"] == "json_invalid":
                    remedy = "write one JSON object a line, without blank lines"
                    findings.append(Finding(shown, number, "bad-json", item["msg"], remedy))
                else:
                    findings.append(_model_finding(item, Report, shown, {(): number}))
    return reports


def _read_snippets(root: Path, findings: list[Finding]) -> dict[str, Snippet]:
    snippets: dict[str, Snippet] = {}
    folder = root / "snippets"
    for path in sorted(folder.rglob("*.py")):
        key = path.relative_to(folder).as_posix()
        if path.name == "conftest.py" or "__pycache__" in key:
            continue
        try:
            snippets[key] = Snippet(key, path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            findings.append(Finding(f"snippets/{key}", 1, "unreadable", str(error), "save it as UTF-8 text"))
    return snippets
