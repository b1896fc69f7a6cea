"""YAML is read as it is written, by both of PyYAML's loaders alike."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from unmeta.kb.strict import MAX_DEPTH, MAX_VALUES, parse

LOADERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if hasattr(yaml, "CSafeLoader") else [])]


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__)
def loader(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None), ("~", None), ("", None), ("NULL", None), ("'null'", "null"), ('"~"', "~"), ("''", ""),
        ("2.10", "2.10"), ("5", "5"), ("0x1F", "0x1F"), ("1e3", "1e3"), ("010", "010"), ("1_000", "1_000"),
        ("yes", "yes"), ("on", "on"), ("true", "true"), ("NO", "NO"), ("'true'", "true"),
        ("2024-01-01", "2024-01-01"), (".inf", ".inf"), (".nan", ".nan"), ("12:30:45", "12:30:45"),
        ("|\n  two\n  lines\n", "two\nlines\n"), (">-\n  two\n  lines\n", "two lines"),
        ("{a: null, b: 1}", {"a": None, "b": "1"}), ("[~, x]", [None, "x"]), ("{}", {}),
        ("'it''s'", "it's"), ('"a\\tb"', "a\tb"),
    ],
)  # fmt: skip
def test_only_null_is_anything_but_text(loader: Any, text: str, value: Any) -> None:
    document = parse(f"key: {text}\n", "x.yaml", loader)
    assert document.findings == []
    assert document.data == {"key": value}


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("a: 1\nb: &x 2\n", "anchor", 2),
        ("a: &x 1\nb: *x\n", "anchor", 1),
        ("a: *x\n", "anchor", 1),
        ("a: !!python/object/apply:os.system [id]\n", "tag", 1),
        ("a: !foo 1\n", "tag", 1),
        ("a: !!str 1\n", "tag", 1),
        ("a: ! 1\n", "tag", 1),
        ("!!map\na: 1\n", "tag", 1),
        ("a: 1\n<<: {b: 2}\n", "bad-key", 2),
        ("? [a, b]\n: 1\n", "bad-key", 1),
        ("a: 1\na: 2\n", "duplicate-key", 2),
        ("a:\n\tb: 1\n", "tab", 2),
        ("a: 1\n  b: 2\n", "bad-yaml", 2),
        ("a: [\n", "bad-yaml", 2),
        ("a: 1\n---\nb: 2\n", "bad-yaml", 2),
        ("a: 1\n<<<<<<< ours\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n", "bad-yaml", 2),
        ("a: 1\nb: x\x1b[2Jy\n", "control-character", 2),
        ('a: 1\nb: "x\\e[2Jy"\n', "control-character", 2),
        ('a: "x\\0y"\n', "control-character", 1),
        ("a: \u202egnp.exe\n", "control-character", 1),
        ("# \u2066 a comment\na: 1\n", "control-character", 1),
        ('a: "\\u2028"\n', "control-character", 1),
        ("a: \x9b2J\n", "control-character", 1),
        ("\x00", "control-character", 1),
    ],
)
def test_what_hides_a_mistake_is_refused_with_its_line(loader: Any, text: str, rule: str, line: int) -> None:
    findings = parse(text, "x.yaml", loader).findings
    assert [(finding.rule, finding.line) for finding in findings] == [(rule, line)]


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 50_000, "a: " + "{b: " * 50_000, "\n".join(" " * n + "a:" for n in range(600)),
        "- " * 60_000, "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "%YAML 9.9\n---\na: 1\n", "a: 'x",
        "@", "`a",
        "key: [" + "x, " * (MAX_VALUES + 1) + "]", "? " * 5_000,
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_no_text_raises(loader: Any, text: str) -> None:
    assert parse(text, "x.yaml", loader).findings


@pytest.mark.parametrize(("open_", "close"), [("[", "]"), ("{a: ", "}")])
def test_depth_is_bounded(loader: Any, open_: str, close: str) -> None:
    def deep(levels: int) -> list[str]:
        text = f"{open_ * levels}x{close * levels}"
        return [finding.message for finding in parse(text, "x.yaml", loader).findings]

    assert deep(MAX_DEPTH) == []
    assert deep(MAX_DEPTH + 1) == [f"over {MAX_DEPTH} levels"]
    assert len(deep(5_000)) == 1


def test_what_is_wrong_with_an_indentation_is_said(loader: Any) -> None:
    (finding,) = parse("a: 1\n  b: 2\n", "x.yaml", loader).findings
    assert "indent like the lines beside it" in finding.remedy


def test_a_merge_marker_is_named(loader: Any) -> None:
    text = "a: 1\n<<<<<<< ours\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n"
    assert "merge marker" in parse(text, "x.yaml", loader).findings[0].message


def test_every_key_has_its_line(loader: Any) -> None:
    lines = parse("a: 1\nb:\n  - x\n  - c: 2\n", "x.yaml", loader).lines
    assert (lines["a",], lines["b",], lines["b", 1], lines["b", 1, "c"]) == (1, 2, 4, 4)
