"""What readers see of a fix: the smallest difference of the code they have, and the imports it adds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmeta.kb.change import Change, change

STAGE = '"""Move a model."""\n\nimport torch\n{imports}\nscene = 1\n'
GOAL = "\n# goal\nassert model\n"


def snippet(code: str, imports: str = "", marker: str = "\n# code\n") -> str:
    return STAGE.format(imports=imports) + marker + code + GOAL


BROKEN = snippet("model = load(path)\nmodel.to(device)\n")


def test_a_dropped_line() -> None:
    found = change(BROKEN, snippet("model = load(path)\n"))
    assert found.rows == ((" ", "model = load(path)"), ("-", "model.to(device)"))
    assert found.diff == " model = load(path)\n-model.to(device)"
    assert found.code == "model = load(path)"
    assert found.size == 1


def test_imports_that_the_fix_adds_come_first_and_count() -> None:
    fixed = snippet("model = load(path)\nread(model)\n", "from accelerate import a, b\nimport os.path as p\n")
    found = change(BROKEN, fixed)
    assert found.imports == ("from accelerate import a, b", "import os.path as p")
    assert found.code == "from accelerate import a, b\nimport os.path as p\n\nmodel = load(path)\nread(model)"
    assert found.diff.startswith("+from accelerate import a, b\n+import os.path as p\n")
    assert found.size == 3


def test_only_the_names_that_are_new_are_imported() -> None:
    old = snippet("x = 1\n", "from transformers import A, B\n")
    new = snippet("x = 2\n", "from transformers import A, B, C\n")
    assert change(old, new).imports == ("from transformers import C",)
    assert change(new, old).imports == ()


def test_a_replaced_line_counts_once_and_blank_ones_not_at_all() -> None:
    found = change(BROKEN, snippet("model = load(path, assign=True)\n\nmodel.to(device)\n\nmodel.eval()\n"))
    assert found.size == 2


def test_stage_goal_and_docstring_are_no_change() -> None:
    other = (
        BROKEN.replace("scene = 1", "scene = 2").replace("assert model", "assert 1").replace("Move", "Drop")
    )
    assert change(BROKEN, other).size == 0
    assert change(BROKEN, other).diff == ""


def test_without_a_marker_all_between_imports_and_goal_is_compared() -> None:
    old = snippet("model = load(path)\nmodel.to(device)\n", marker="\n")
    for marker in ("\n", "\n# code\n"):
        found = change(old, snippet("model = load(path)\n", "import os\n", marker))
        assert found.old == ("scene = 1", "", "model = load(path)", "model.to(device)")
        assert [line for line in found.new if line] == ["scene = 1", "model = load(path)"]
        assert found.imports == ("import os",)
        assert found.size == 2


@pytest.mark.parametrize("text", ["def (", "x = '''\n# goal\n'''\n", "", "# code\n# code\n"])
def test_what_is_no_snippet_is_compared_as_it_stands(text: str) -> None:
    assert change(text, text).size == 0
    assert change(text, BROKEN).code


def test_far_lines_are_left_out_of_the_diff() -> None:
    old = tuple(f"x{n} = {n}" for n in range(20))
    found = Change((), old, (*old[:2], "new", *old[3:17], "newer", *old[18:]))
    assert found.diff.split("\n")[:2] == [" x0 = 0", " x1 = 1"]
    assert found.diff.count("@@") == 1


@given(st.lists(st.sampled_from("abc "), max_size=10), st.lists(st.sampled_from("abc "), max_size=10))
def test_the_rows_hold_both_codes(old: list[str], new: list[str]) -> None:
    found = Change((), tuple(old), tuple(new))
    assert [line for sign, line in found.rows if sign != "-"] == new
    assert [line for sign, line in found.rows if sign != "+"] == old
    if not found.size:
        assert [line for line in old if line.strip()] == [line for line in new if line.strip()]
