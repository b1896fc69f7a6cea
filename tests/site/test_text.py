from __future__ import annotations

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmeta.kb.change import change
from unmeta.site import text

NASTY = st.text(st.sampled_from("`*_[]()<>&#|\\{}!-+. ~ab1\"'"), max_size=40)


def html(source: str) -> str:
    return markdown.markdown(source, extensions=["fenced_code", "attr_list", "md_in_html", "tables"])


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("load_state_dict() into a *meta* module", "load_state_dict() into a *meta* module"),
        ("a model's __init__ reads", "a model's __init__ reads"),
        ("<CustomOpDef(…)> & co [x](y)", "&lt;CustomOpDef(…)&gt; &amp; co [x](y)"),
        ("call `x < y`", "call <code>x &lt; y</code>"),
    ],
)
def test_titles_are_literal_but_for_code(title: str, shown: str) -> None:
    assert html(text.plain(title)) == f"<p>{shown}</p>"


@given(NASTY)
def test_no_title_becomes_an_element(title: str) -> None:
    shown = html("Title: " + text.plain(title))
    for tag in ("<em", "<strong", "<a ", "<img", "<h1", "<script", "<b>"):
        assert tag not in shown.replace("<code>", "")


def test_prose_keeps_markdown_and_no_html() -> None:
    shown = html(text.prose("*Why*: `<b>` is code, <img src=x onerror=alert(1)> is not; __init__ is a name"))
    assert "<em>Why</em>" in shown
    assert "<code>&lt;b&gt;</code>" in shown
    assert "<img" not in shown
    assert "__init__" in shown


@pytest.mark.parametrize("code", ["x", "a ``` b", "````\nx\n````", "`"])
def test_a_fence_is_longer_than_the_backticks_inside(code: str) -> None:
    fenced = text.fence(code)
    mark = fenced.split(" ")[0]
    assert mark.strip("`") == ""
    assert mark not in code
    assert fenced.endswith(f"\n{mark}")


def test_lines_far_from_a_change_can_be_folded_away() -> None:
    before = "\n".join(f"x{n} = {n}" for n in range(30))
    shown = text.diff(change(before, before.replace("x15 = 15", "x15 = 51")))
    assert shown.count("um-far") == 30 - 7
    assert shown.count("<del") == shown.count("<ins") == 1


def test_code_is_escaped_in_a_difference() -> None:
    shown = text.diff(change("x = '<b>'\n", "x = '<script>\"'\n\ny = 1\n"))
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert 'data-change="x = &#x27;&lt;script&gt;&quot;&#x27;&#10;&#10;y = 1"' in shown
    assert "\n\n" not in shown


def test_a_difference_shows_added_imports_first() -> None:
    shown = text.diff(change("import a\nx = 1\n", "import a\nimport b\nx = b.c\n"))
    assert shown.count("<ins") == 2
    assert shown.index("</span> b\n") < shown.index("<del")
    assert 'data-diff="+import b&#10;&#10;-x = 1&#10;+x = b.c"' in shown


def test_printed_text_is_shown_without_control_characters() -> None:
    printed = "\x1b[1mREPORT\x1b[0m\tname\r\n\x1b]8;;https://x.org\x1b\\link\x07 \x00end"
    assert text.visible(printed) == "REPORT\tname\nlink end"


def test_many_scripts_on_a_page_have_few_elements() -> None:
    code = "import os\nload(f'a{os}', \"c\")  # why\n"
    spare = text.python(code, strings=False)
    assert spare.count("<span") < text.python(code).count("<span")
    assert '<span class="kn">import</span>' in spare
    assert '<span class="c1"># why</span>' in spare
    assert "load(f'a{os}', \"c\")" in spare
