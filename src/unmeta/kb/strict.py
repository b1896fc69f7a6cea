"""YAML as entries use it: mappings, lists and text, every value written out, every key once.

Of plain scalars only null is anything but text, so that a version stays as it is written; the models turn
numbers and booleans into what they are. PyYAML's two loaders give the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml

from unmeta.kb.files import control_character, steering
from unmeta.kb.findings import Finding
from unmeta.terminal import STEERING

MAX_VALUES = 20_000
MAX_DEPTH = 40  # of lists and mappings; one of PyYAML's loaders calls itself for each
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
NULL = "tag:yaml.org,2002:null"

KeyPath = tuple[str | int, ...]


@dataclass
class ParsedYaml:
    """Plain data, the line of every key and item, and what is wrong."""

    data: Any = None
    lines: dict[KeyPath, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def parse(text: str, name: str, loader: Any = LOADER) -> ParsedYaml:
    """Read one document; `name` is how findings call the file. Never raises for any text."""
    document = ParsedYaml(findings=list(steering(text, name)))
    if document.findings:
        return document
    try:
        document.findings += _indirect(text, name, loader)
        if not document.findings:
            node = yaml.compose(text, Loader=loader)
            if node is not None:
                document.data = _plain(node, name, (), document)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        document.findings.append(_finding(error, text, name))
    return document


def _indirect(text: str, name: str, loader: Any) -> list[Finding]:
    """What makes a file mean something else than it shows (anchors, aliases, tags) or be too large."""
    count = depth = 0
    events: Iterable[Any] = yaml.parse(text, Loader=loader)
    for event in events:
        line = event.start_mark.line + 1
        if getattr(event, "anchor", None) is not None:
            message = f"{'*' if isinstance(event, yaml.AliasEvent) else '&'}{event.anchor} stands for a value"
            return [Finding(name, line, "anchor", message, "write the value out, or quote it if it is text")]
        if getattr(event, "tag", None) is not None:
            remedy = "leave it out; quote a text that begins with an exclamation mark"
            return [Finding(name, line, "tag", f"the tag {event.tag}", remedy)]
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            return [Finding(name, line, "bad-yaml", f"over {MAX_DEPTH} levels", "simplify the file")]
        count += isinstance(event, yaml.NodeEvent)
        if count > MAX_VALUES:
            return [Finding(name, line, "too-many-values", f"over {MAX_VALUES:,} values", "split the entry")]
    return []


def _plain(node: Any, name: str, path: KeyPath, document: ParsedYaml) -> Any:
    """A node as plain data; lines and what is wrong are noted in the document."""
    line = node.start_mark.line + 1
    document.lines[path] = line
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, name, path, document)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, name, (*path, at), document) for at, item in enumerate(node.value)]
    if node.tag == NULL and not node.style:
        return None
    if hidden := STEERING.search(node.value):  # written as an escape
        document.findings.append(control_character(name, line, hidden[0]))
    return node.value


def _mapping(node: Any, name: str, path: KeyPath, document: ParsedYaml) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = key_node.value
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode) or key == "<<":
            finding = Finding(name, line, "bad-key", "keys are plain words", "write the values out")
            document.findings.append(finding)
        elif key in result:
            finding = Finding(name, line, "duplicate-key", f"{key!r} stands twice", "keep one of them")
            document.findings.append(finding)
        else:
            result[key] = _plain(value_node, name, (*path, key), document)
            document.lines[*path, key] = line
    return result


def _finding(error: Exception, text: str, name: str) -> Finding:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return Finding(name, 1, "bad-yaml", str(error) or type(error).__name__, "simplify the file")
    line = mark.line + 1
    content = text.split("\n")
    broken = content[line - 1] if line <= len(content) else ""
    if "\t" in broken:
        return Finding(name, line, "tab", "a tab in the indentation", "indent with spaces")
    for number, shown in enumerate(content, 1):
        if shown.startswith(("<<<<<<< ", ">>>>>>> ")):
            message = "a merge marker, so two versions of the entry stand here"
            return Finding(name, number, "bad-yaml", message, "keep one version and delete the markers")
    remedy = "quote a value that holds ': ' or starts with a special sign"
    before = content[line - 2] if line > 1 else ""
    if broken.strip() and _indent(broken) != _indent(before):
        remedy = f"indent like the lines beside it, or {remedy}"
    return Finding(name, line, "bad-yaml", getattr(error, "problem", None) or str(error), remedy)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
