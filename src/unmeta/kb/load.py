"""Read a knowledge base from disk, strictly: every finding names its file, line and remedy.

Whatever a file holds is a finding, never a traceback; all findings of all files are gathered before the
loader gives up.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError

from unmeta.kb.files import UnreadableError, control_character, read, shown, steering, walk
from unmeta.kb.findings import Finding
from unmeta.kb.model import (
    Cause,
    EntryId,
    Fact,
    Lookalike,
    Noise,
    NoiseFile,
    PublicReport,
    Stack,
    Symptom,
    Unbracketed,
    why_no_id,
)
from unmeta.kb.programs import REPAIRED, Program, ProgramClaim
from unmeta.kb.snippets import Case, Snippet, case_of_fact, cases_of_cause
from unmeta.kb.strict import KeyPath, parse
from unmeta.kb.told import told
from unmeta.terminal import STEERING

MAX_ENTRY, MAX_REPORTS = 256 * 1024, 32 * 1024 * 1024
KINDS: Mapping[str, type[BaseModel]] = {"causes": Cause, "symptoms": Symptom, "facts": Fact}
FOLDERS = ("kb", "snippets", "programs", "docs")
"""What people contribute, and what is run or published of it."""
TABLE = re.compile(r"\[{0,2}\s*\"?([\w-]+)\"?\s*(?:\]|=)")
SNIPPET = re.compile(r"[a-z0-9-]+/[a-z0-9-]+\.py")
_NAME = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"
PROGRAM_FILE = re.compile(rf"(programs/[a-z0-9-]+/[a-z0-9-]+)/((?:{_NAME}/){{0,3}}{_NAME})")


_ID = TypeAdapter(EntryId)
_SEPARATORS = {0x2028: "\n", 0x2029: "\n"}  # text that others wrote may hold them


class CatalogueError(ValueError):
    """The knowledge base cannot be read; `findings` say where and why."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = sorted(findings)
        super().__init__("\n".join(map(str, self.findings)))


@dataclass(frozen=True)
class Catalogue:
    """The whole knowledge base in memory; ids are keys, in alphabetical order.

    `noise` are messages that the judge passes over, `lookalikes` those that are no problem of the meta
    device, `reports` the public ones that were labelled, `programs` realistic code that fails, by path,
    `bounds` those of versions that no recorded run can bracket.

    `lines` maps (folder, id) to the line of every key in that file, for findings of later checks.
    """

    causes: Mapping[str, Cause]
    symptoms: Mapping[str, Symptom]
    facts: Mapping[str, Fact]
    stacks: Mapping[str, Stack]
    snippets: Mapping[str, Snippet]
    noise: Sequence[Noise] = ()
    reports: Sequence[PublicReport] = ()
    lookalikes: Mapping[str, Lookalike] = field(default_factory=dict)
    lines: Mapping[tuple[str, str], Mapping[KeyPath, int]] = field(default_factory=dict, repr=False)
    programs: Mapping[str, Program] = field(default_factory=dict)
    bounds: Mapping[str, Unbracketed] = field(default_factory=dict)
    memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was found out about this catalogue, which does not change."""

    @property
    def reference(self) -> Stack:
        """The stack whose runs must be fresh and right."""
        return next(stack for stack in self.stacks.values() if stack.reference)

    def cases(self) -> list[Case]:
        """Every claim about a snippet, causes before facts."""
        return list(self._cases.values())

    def case(self, key: str) -> Case | None:
        """The claim about one snippet, by key; None where no entry speaks of it."""
        return self._cases.get(key)

    @cached_property
    def _cases(self) -> Mapping[str, Case]:
        of_causes = {case.key: case for cause in self.causes.values() for case in cases_of_cause(cause)}
        return of_causes | {case.key: case for case in map(case_of_fact, self.facts.values())}

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
    kb = root / "kb"
    if not kb.is_dir():
        raise CatalogueError(
            [Finding("kb", 1, "no-catalogue", f"{kb} is not a folder", "run from the project's root")]
        )
    findings: list[Finding] = []
    found = {folder: walk(root, folder, findings) for folder in FOLDERS}
    if findings:
        raise CatalogueError(findings)
    entries: dict[str, dict[str, Any]] = {}
    lines: dict[tuple[str, str], Mapping[KeyPath, int]] = {}
    for folder, model in KINDS.items():
        entries[folder] = {}
        for path in (path for path in found["kb"] if (kb / folder) in path.parents):
            name = shown(path, root)
            if path.name.startswith("."):
                continue
            if path.suffix != ".yaml" or path.parent != kb / folder:
                remedy = "move or delete it"
                findings.append(Finding(name, 1, "stray-file", "only <id>.yaml files live here", remedy))
                continue
            problems, entry, where = _read_entry(path, name, model)
            findings += problems
            if entry is not None:
                entries[folder][path.stem] = entry
                lines[folder, path.stem] = where
    stacks = _read_stacks(kb / "stacks.toml", "kb/stacks.toml", findings)
    noise = _read_noise(kb / "noise.toml", "kb/noise.toml", findings)
    lookalikes = _read_tables(kb / "lookalikes.toml", "kb/lookalikes.toml", Lookalike, findings)
    bounds = _read_tables(kb / "bounds.toml", "kb/bounds.toml", Unbracketed, findings)
    reports = _read_reports(kb / "reports.jsonl", "kb/reports.jsonl", findings)
    snippets = _read_snippets(root, found["snippets"], findings)
    programs = _read_programs(root, found["programs"], findings)
    if findings:
        raise CatalogueError(findings)
    return Catalogue(
        entries["causes"],
        entries["symptoms"],
        entries["facts"],
        stacks,
        snippets,
        noise,
        reports,
        lookalikes,
        lines,
        programs,
        bounds,
    )


def _read_entry(
    path: Path, name: str, model: type[BaseModel]
) -> tuple[list[Finding], Any, Mapping[KeyPath, int]]:
    try:
        _ID.validate_python(path.stem)
    except ValidationError as error:
        words = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")
        lettered = words[:1].isalpha()
        remedy = "rename it" if lettered else "rename it; a name begins with a letter"
        if lettered and words != path.stem:
            remedy = f"rename it to {words}.yaml"
        return [Finding(name, 1, "bad-id", f"{path.stem!r} {why_no_id(error)}", remedy)], None, {}
    try:
        document = parse(read(path, name, MAX_ENTRY), name)
    except UnreadableError as error:
        return [error.finding], None, {}
    data, where = document.data, document.lines
    if document.findings:
        return document.findings, None, where
    if not isinstance(data, dict):
        message = "the file is empty" if data is None else "an entry is a mapping of keys to values"
        return [Finding(name, 1, "not-an-entry", message, "see `unmeta new ID`")], None, where
    if "id" in data:
        remedy = "delete the key: the file name is the id"
        return [Finding(name, where["id",], "repeated-id", "the entry repeats its id", remedy)], None, where
    try:
        return [], model.model_validate({"id": path.stem, **data}), where
    except ValidationError as error:
        return [_model_finding(item, model, name, where) for item in error.errors()], None, where


def _model_finding(item: Any, model: type[BaseModel], file: str, where: Mapping[KeyPath, int]) -> Finding:
    loc = tuple(part for part in item["loc"] if not (isinstance(part, str) and "function-" in part))
    end = next((n for n in range(len(loc), -1, -1) if loc[:n] in where), 0)
    line = where.get(loc[:end], 1)
    name = ".".join(str(part) for part in loc) or model.__name__.lower()
    if item["type"] == "extra_forbidden":
        known = _keys_at(model, loc[:-1])
        near = difflib.get_close_matches(str(loc[-1]), known, 1)
        remedy = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}"
        return Finding(file, line, "unknown-key", f"unknown key {name!r}", remedy)
    if item["type"] == "missing":
        return Finding(file, line, "missing-key", f"{name!r} is missing", "add it")
    message, remedy = told(item)
    return Finding(file, line, "bad-value", f"{name}: {message}", remedy)


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


def _read_toml(path: Path, name: str, findings: list[Finding]) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """The data of a file, and the lines where its tables begin."""
    if not path.is_file():
        return {}, {}
    try:
        text = read(path, name, MAX_ENTRY)
        hidden = list(steering(text, name))
        findings += hidden
        lines: dict[str, list[int]] = {}
        for number, line in enumerate(text.split("\n"), 1):
            if found := TABLE.match(line):
                lines.setdefault(found[1], []).append(number)
        return ({} if hidden else tomllib.loads(text)), lines
    except UnreadableError as error:
        findings.append(error.finding)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = re.search(r"line (\d+)", str(error))
        remedy = "write `name = value` lines and [tables]"
        findings.append(Finding(name, int(at[1]) if at else 1, "bad-toml", str(error), remedy))
    return {}, {}


_Table = TypeVar("_Table", Stack, Lookalike, Unbracketed)


def _read_tables(path: Path, name: str, model: type[_Table], findings: list[Finding]) -> dict[str, _Table]:
    """The tables of a file by their name, which is the id; nothing where there is no file."""
    tables: dict[str, _Table] = {}
    data, lines = _read_toml(path, name, findings)
    for key, body in data.items():
        line = lines.get(key, [1])[0]
        where: dict[KeyPath, int] = {(): line}
        if not isinstance(body, dict):
            message = f"{key} is not a table"
            findings.append(Finding(name, line, "bad-value", message, f"write [{key}]"))
            continue
        try:
            tables[key] = model.model_validate({**body, "id": key})
        except ValidationError as error:
            findings += [_model_finding(item, model, name, where) for item in error.errors()]
    return tables


def _read_stacks(path: Path, name: str, findings: list[Finding]) -> dict[str, Stack]:
    if not path.is_file():
        findings.append(Finding(name, 1, "no-stacks", "the file is missing", "name at least one stack"))
        return {}
    stacks = _read_tables(path, name, Stack, findings)
    if not stacks and not any(finding.path == name for finding in findings):
        findings.append(Finding(name, 1, "no-stacks", "the file is empty", "name at least one stack"))
    if stacks and sum(stack.reference for stack in stacks.values()) != 1:
        remedy = "set reference = true on one"
        findings.append(Finding(name, 1, "one-reference", "exactly one stack is the reference", remedy))
    return stacks


def _read_noise(path: Path, name: str, findings: list[Finding]) -> list[Noise]:
    data, lines = _read_toml(path, name, findings)
    try:
        return NoiseFile.model_validate(data).noise
    except ValidationError as error:
        where: dict[KeyPath, int] = {("noise", at): line for at, line in enumerate(lines.get("noise", []))}
        findings += [_model_finding(item, NoiseFile, name, where) for item in error.errors()]
        return []


def _read_reports(path: Path, name: str, findings: list[Finding]) -> list[PublicReport]:
    """One report a line, in the order of the file; line numbers of findings are those of the file."""
    if not path.is_file():
        return []
    try:
        lines = read(path, name, MAX_REPORTS).removesuffix("\n").split("\n")
    except UnreadableError as error:
        findings.append(error.finding)
        return []
    reports = []
    for number, line in enumerate(lines, 1):
        try:
            report = PublicReport.model_validate_json(line)
        except ValidationError as error:
            for item in error.errors():
                if item["type"] == "json_invalid":
                    remedy = "write one JSON object a line, without blank lines"
                    findings.append(Finding(name, number, "bad-json", item["msg"], remedy))
                else:
                    findings.append(_model_finding(item, PublicReport, name, {(): number}))
            continue
        said = f"{report.source}{report.printed}{report.told}{report.context}"
        if hidden := STEERING.search(said.translate(_SEPARATORS)):
            findings.append(control_character(name, number, hidden[0]))
        reports.append(report)
    return reports


def _read_snippets(root: Path, paths: Iterable[Path], findings: list[Finding]) -> dict[str, Snippet]:
    snippets: dict[str, Snippet] = {}
    for path in paths:
        name = shown(path, root)
        key = name.removeprefix("snippets/")
        if path.suffix != ".py" or key == "conftest.py":
            continue
        if not SNIPPET.fullmatch(key):
            remedy = "call it snippets/<entry>/<role>-<id>.py, in lower case"
            findings.append(Finding(name, 1, "stray-file", "snippets have other names", remedy))
            continue
        try:
            text = read(path, name, MAX_ENTRY)
        except UnreadableError as error:
            findings.append(error.finding)
            continue
        findings += steering(text, name)
        snippets[key] = Snippet(key, text)
    return snippets


def _read_programs(root: Path, paths: Iterable[Path], findings: list[Finding]) -> dict[str, Program]:
    files: dict[str, dict[str, str]] = {}
    for path in paths:
        name = shown(path, root)
        found = PROGRAM_FILE.fullmatch(name)
        if not found:
            remedy = "call it programs/<cause>/<name>/<file>"
            findings.append(Finding(name, 1, "stray-file", "only programs live here", remedy))
            continue
        try:
            text = read(path, name, MAX_ENTRY)
        except UnreadableError as error:
            findings.append(error.finding)
            continue
        findings += steering(text, name)
        files.setdefault(found[1], {})[found[2]] = text
    programs: dict[str, Program] = {}
    for key, texts in sorted(files.items()):
        claim = _read_claim(f"{key}/program.yaml", texts.pop("program.yaml", None), findings)
        if claim is not None:
            inside = f"{REPAIRED}/"
            repairs = {
                name.removeprefix(inside): text for name, text in texts.items() if name.startswith(inside)
            }
            own = {name: text for name, text in texts.items() if not name.startswith(inside)}
            programs[key] = Program(key, claim, own, repairs)
    return programs


def _read_claim(name: str, text: str | None, findings: list[Finding]) -> ProgramClaim | None:
    if text is None:
        findings.append(Finding(name, 1, "no-claim", "the file is missing", "say what the program shows"))
        return None
    document = parse(text, name)
    findings += document.findings
    if document.findings:
        return None
    if not isinstance(document.data, dict):
        remedy = "write `says`, `cause`, `evidence` and, where there is one, `fix`"
        findings.append(Finding(name, 1, "not-an-entry", "a claim is a mapping of keys to values", remedy))
        return None
    try:
        return ProgramClaim.model_validate(document.data)
    except ValidationError as error:
        findings += [_model_finding(item, ProgramClaim, name, document.lines) for item in error.errors()]
        return None
