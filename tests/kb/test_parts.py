"""Where the parts of a snippet begin: what a line is, what a marker is, and what deceives an eye."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmeta.kb.parts import PartsError, lines, parts, start, statements
from unmeta.verify.probe import halves

SNIPPET = '"""Copy."""\n\nimport torch\n\nx = 1\n\n# code\ny = x + 1\n\n# goal\nassert y == 2\n'


def test_a_snippet_has_three_parts() -> None:
    found = parts(SNIPPET, ast.parse(SNIPPET))
    assert (found.code_line, found.goal_line) == (7, 10)
    assert found.stage.endswith("x = 1")
    assert found.code == "y = x + 1"
    assert found.goal == "assert y == 2"
    assert [found.of(line) for line in (1, 6, 7, 9, 10, 11)] == [
        "stage", "stage", "code", "code", "goal", "goal",
    ]  # fmt: skip


def test_without_markers_all_is_the_reader_s() -> None:
    found = parts("x = 1\ny = 2\n", None)
    assert (found.stage, found.code, found.goal) == ("", "x = 1\ny = 2", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", ("a", "b")),
        ("a\nb\n", ("a", "b")),
        ("a\r\nb\rc", ("a", "b", "c")),
        ("a\x0cb\n", ("a\x0cb",)),
        ("a\u2028b\u2029c\x85d\x1ce\x0bf", ("a\u2028b\u2029c\x85d\x1ce\x0bf",)),
        ("", ()),
        ("\n", ("",)),
    ],
)
def test_lines_are_python_s(text: str, expected: tuple[str, ...]) -> None:
    assert lines(text) == expected


@given(st.text(alphabet="x#\n\r\x0b\x0c\x1c\x85\u2028\u2029 ", max_size=40))
def test_lines_are_counted_as_the_parser_counts_them(text: str) -> None:
    # A name in the last line tells how many lines the parser saw before it.
    source = f'"""{text}"""\nlast\n'
    assert ast.parse(source).body[-1].lineno == len(lines(source))


DECEPTIONS = {
    "in a docstring": '"""Copy.\n# goal\n"""\nx = 0\n# goal\nassert x\n',
    "in a string": 'x = """\n# goal\n"""\nassert 1\n',
    "in brackets": "x = [\n# goal\n1,\n]\n",
    "in a function": "def f():\n    x = 1\n# goal\n    return x\n",
    "in a nested function": "def f():\n    def g():\n        # goal\n        return 1\n    return g\n",
    "in a class": "class A:\n    x = 1\n# code\n    y = 2\n",
    "in an if": "if 1:\n    x = 1\n# goal\nelse:\n    x = 2\n",
    "in a try": "try:\n    x = 1\n# goal\nexcept ValueError:\n    x = 2\n",
    "below a decorator": "@staticmethod\n# goal\ndef f():\n    pass\n",
    "in a later statement of a line": 'x = 1; y = """\n# goal\n"""; z = 2\n',
    "indented": "x = 1\n    # goal\nassert x\n",
    "after a form feed": "x = 1\n\x0c# goal\nassert x\n",
    "before U+2028": "x = 1\n# goal\u2028\nassert x\n",
    "twice": "x = 1\n# goal\nassert x\n# goal\nassert not x\n",
    "code twice": "# code\nx = 1\n# code\ny = 1\n",
    "out of order": "x = 1\n# goal\nassert x\n# code\ny = 1\n",
}


@pytest.mark.parametrize("text", DECEPTIONS.values(), ids=DECEPTIONS)
def test_a_marker_that_deceives_an_eye_is_refused_and_not_run(text: str) -> None:
    with pytest.raises(PartsError) as refused:
        parts(text, ast.parse(text))
    assert lines(text)[refused.value.line - 1].strip() in ("# code", "# goal")
    with pytest.raises(SyntaxError, match=r"# (goal|code)"):
        halves(text, "broken.py")


HARMLESS = {
    "U+2028 in a string": ('"""Copy.\u2028"""\nvalue = 0\n# goal\nassert value == 2\n', 2),
    "U+2028 in a comment": ("value = 0  # \u2028 raise\n# goal\nassert value == 2\n", 1),
    "a form feed in a string": ('text = "\x0c"\nvalue = 0\n# goal\nassert value == 2\n', 2),
    "a form feed at a line's start": ("\x0cvalue = 0\n# goal\nassert value == 2\n", 1),
    "U+0085 in a string": ('text = "\x85"\nvalue = 0\n# goal\nassert value == 2\n', 2),
    "old line ends": ("value = 0\r# goal\rassert value == 2\r", 1),
    "mixed line ends": ("text = 1\r\nvalue = 0\r# goal\nassert value == 2\r\n", 2),
    "a continued line": ("value = \\\n    0\n# goal\nassert value == 2\n", 1),
    "a backslash before the marker": ("value = 0 \\\n\n# goal\nassert value == 2\n", 1),
    "decorators": ("@str\n@repr\ndef value():\n    pass\n\n\n# goal\nassert value == 2\n", 1),
    "words like the marker": ("value = 0\n# goal: two\n# goals\n#goal\n# goal\nassert value == 2\n", 1),
    "two statements a line": ("text = 1; value = 0\n# goal\nassert value == 2; text = 3\n", 2),
}


@pytest.mark.parametrize(("text", "above"), HARMLESS.values(), ids=HARMLESS)
def test_every_statement_runs_in_exactly_one_part(text: str, above: int) -> None:
    tree = ast.parse(text)
    divided = parts(text, tree)
    shares = [statements(tree, divided, part) for part in ("stage", "code", "goal")]
    assert [node for share in shares for node in share] == tree.body
    assert len(shares[1]) == above
    body, goal = halves(text, "broken.py")
    names: dict[str, object] = {}
    exec(body, names)
    assert "value" in names
    assert goal is not None
    with pytest.raises(AssertionError):
        exec(goal, names)


def test_a_decorated_function_starts_at_its_decorator() -> None:
    assert start(ast.parse("\n@str\n@repr\ndef f(): pass\n").body[0]) == 2
