"""What the loader says of YAML that hides a mistake, word for word, with either of PyYAML's loaders."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from unmeta.kb.strict import MAX_VALUES, parse

LOADERS = [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)]
QUOTE = "quote a value that holds ': ' or starts with a special sign"
INDENT = f"indent like the lines beside it, or {QUOTE}"
VALUE = "write the value out, or quote it if it is text"
MERGE = (
    "bad-yaml",
    "a merge marker, so two versions of the entry stand here",
    "keep one version and delete the markers",
)
STEERS = "does not show itself, and steers what does"

SAID = {
    "an anchor": ("a: &x 1\n", 1, "anchor", "&x stands for a value", VALUE),
    "an alias": ("a: [1]\nb: *x\n", 2, "anchor", "*x stands for a value", VALUE),
    "a tag": (
        "a: 1\nb: !!str 2\n",
        2,
        "tag",
        "the tag tag:yaml.org,2002:str",
        "leave it out; quote a text that begins with an exclamation mark",
    ),
    "a list for a key": ("a: 1\n? [1]\n: 2\n", 2, "bad-key", "keys are plain words", "write the values out"),
    "a merge key": ("a: 1\n<<: 2\n", 2, "bad-key", "keys are plain words", "write the values out"),
    "a key twice": ("b:\n  - c: 1\n    c: 2\n", 3, "duplicate-key", "'c' stands twice", "keep one of them"),
    "a tab": ("a:\n\tb: 1\n", 2, "tab", "a tab in the indentation", "indent with spaces"),
    "ours": ("a: 1\n<<<<<<< ours\nb: 1\n", 2, *MERGE),
    "theirs": ("a: 1\nb: 2\n>>>>>>> theirs\n", 3, *MERGE),
    "an escape": ('a:\n  - "x\\e[31m"\n', 2, "control-character", f"U+001B {STEERS}", "delete it"),
    "an escape in a list": ('- a\n- "\\u202e"\n', 2, "control-character", f"U+202E {STEERS}", "delete it"),
    "a control character": ("a: 1\nb: \x07\n", 2, "control-character", f"U+0007 {STEERS}", "delete it"),
    "two documents": ("a: 1\n---\nb: 2\n", 2, "bad-yaml", "but found another document", QUOTE),
    "too much": (
        f"a: [{'1, ' * MAX_VALUES}]\n",
        1,
        "too-many-values",
        "over 20,000 values",
        "split the entry",
    ),
}


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(("text", "line", "rule", "message", "remedy"), SAID.values(), ids=SAID)
def test_what_is_said(loader: Any, text: str, line: int, rule: str, message: str, remedy: str) -> None:
    found = [
        (item.path, item.line, item.rule, item.message, item.remedy)
        for item in parse(text, "kb/x.yaml", loader).findings
    ]
    assert found == [("kb/x.yaml", line, rule, message, remedy)]


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("text", "line", "words", "remedy"),
    [
        ("a: b: c\n", 1, "mapping values are not allowed", QUOTE),
        ("a: 1\n   b: 2\n", 2, "mapping values are not allowed", INDENT),
        ("a:\n    b: 1\n  c: 2\n", 3, "expected", INDENT),
        ("a: [1\n", 2, "expected", QUOTE),
        ("- a\nb: 1\n", 2, "expected", QUOTE),
        ("a: @x\n", 1, "cannot start any token", QUOTE),
        ("a: 1\nb: 2\nc: @x\n", 3, "cannot start any token", QUOTE),
        ("  a: 1\n  b: 2\n  c: @x\n", 3, "cannot start any token", QUOTE),
        ("a:\n  b: 1\n  c: @x\n", 3, "cannot start any token", QUOTE),
        ("a:\n  b: @x\n  c: 1\n", 2, "cannot start any token", INDENT),
        (" a: @x\n b: 1\n b", 1, "cannot start any token", INDENT),
        ("a: @x", 1, "cannot start any token", QUOTE),
    ],
)
def test_what_the_parser_says(loader: Any, text: str, line: int, words: str, remedy: str) -> None:
    (found,) = parse(text, "kb/x.yaml", loader).findings
    assert (found.line, found.rule, found.remedy) == (line, "bad-yaml", remedy)
    assert words in found.message


@pytest.mark.parametrize("loader", LOADERS[1:])
def test_an_entry_of_just_so_many_values(loader: Any) -> None:
    # The mapping, its key and the list are values too.
    whole = parse(f"a: [{'1, ' * (MAX_VALUES - 3)}]\n", "kb/x.yaml", loader)
    assert whole.findings == []
    assert len(whole.data["a"]) == MAX_VALUES - 3
    assert parse(f"a: [{'1, ' * (MAX_VALUES - 2)}]\n", "kb/x.yaml", loader).findings


@pytest.mark.parametrize(
    ("error", "message"),
    [(RecursionError(), "RecursionError"), (yaml.YAMLError("too odd"), "too odd"), (ValueError("x"), "x")],
)
def test_whatever_else_a_parser_raises(
    monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(yaml, "compose", fail)
    (found,) = parse("a: 1\nb: 2\n", "kb/x.yaml").findings
    assert (found.line, found.rule, found.message, found.remedy) == (
        1, "bad-yaml", message, "simplify the file",
    )  # fmt: skip
