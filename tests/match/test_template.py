"""Templates: what they match, what they refuse, and that time stays linear."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unmeta.match.template import Template, best, fold, plain, split

NO_DATA = "Cannot copy out of meta tensor; no data!"
NEEDS_VALUE = "{name} is on the meta device, we need a `value` to put in on {device}."


def test_a_hole_takes_any_text_and_keeps_its_case():
    found = Template(NEEDS_VALUE).match(
        "lm_head.Weight is on the meta device, we need a `value` to put in on 0."
    )
    assert found == {"name": "lm_head.Weight", "device": "0"}


@pytest.mark.parametrize(
    "message",
    [
        "w is on the meta device, we need a value to put in on cpu.",
        "w is on  the meta\n   device, we need a ‘value’ to put in on cpu.",
        'w is on the meta device, we need a "value" to put in on cpu.\n',
    ],
)
def test_quotes_and_white_space_do_not_matter(message):
    assert Template(NEEDS_VALUE).match(message) == {"name": "w", "device": "cpu"}


@pytest.mark.parametrize(
    "message",
    [
        "",
        " is on the meta device, we need a `value` to put in on 0.",
        "w is on the meta device, we need a `value` to put in on .",
        "w is on the meta device, we need a `value` to put in on 0. And more",
        "w is on the cuda device, we need a `value` to put in on 0.",
    ],
)
def test_the_whole_message_must_fit(message):
    assert Template(NEEDS_VALUE).match(message) is None


def test_doubled_braces_are_literal():
    template = Template("a {{device_map}} of {{'': {device}}}")
    assert template.literals == ["a {device_map} of {'': ", "}"]
    assert template.match("a {device_map} of {'': cpu}") == {"device": "cpu"}


@pytest.mark.parametrize(
    "text", ["{", "}", "a {b", "a b}", "{}", "{A b}", "{a}{b}", "{a} {b}", "x {a} y {a}", "{a}"]
)
def test_malformed_templates_are_refused(text):
    with pytest.raises(ValueError, match=r"hole|brace|literal"):
        Template(text)


def test_the_longest_literal_wins():
    wordings = {
        "bare": Template("Cannot copy out of meta tensor{rest}"),
        "advice": Template("Cannot copy out of meta tensor; no data! Please use {what}"),
    }
    assert best(wordings, NO_DATA) == "bare"
    assert best(wordings, NO_DATA + " Please use to_empty") == "advice"
    assert best(wordings, "else") is None


@pytest.mark.parametrize(
    "text", [NO_DATA, f"RuntimeError: {NO_DATA.upper()}", "x\nCannot copy out of meta ten\nsor; no data!\n"]
)
def test_find_sees_a_message_inside_any_text(text):
    start, end = Template(NO_DATA).find(text)
    assert fold(text)[start:end] == fold(NO_DATA)


def test_find_wants_every_literal_in_order_and_near():
    template = Template("for {key}: copying from a non-meta parameter, which is a no-op")
    assert template.find("warn: for w: copying from a non-meta parameter, which is a no-op") is not None
    assert template.find("copying from a non-meta parameter, which is a no-op for w:") is None
    assert Template("alpha {x} omega").find("alpha " + "x" * 5000 + " omega") is None


words = st.text(alphabet="ab {}:'\n", max_size=30)


@given(
    literals=st.lists(st.text(alphabet="abc:;", min_size=1, max_size=8), min_size=2, max_size=5),
    data=st.data(),
)
def test_whatever_fills_the_holes_is_matched(literals, data):
    fill = [
        data.draw(st.text(alphabet="xyz ", min_size=1, max_size=9).filter(str.strip)) for _ in literals[1:]
    ]
    text = literals[0] + "".join(f"{{h{i}}}{literal}" for i, literal in enumerate(literals[1:]))
    message = literals[0] + "".join(
        f"{value}{literal}" for value, literal in zip(fill, literals[1:], strict=True)
    )
    found = Template(text).match(message)
    assert found is not None
    rebuilt = literals[0] + "".join(f"{found[f'h{i}']}{literal}" for i, literal in enumerate(literals[1:]))
    assert plain(rebuilt) == plain(message)
    assert Template(text).find("before " + message + " after") is not None


@given(text=words, message=words)
def test_nothing_but_value_error_is_ever_raised(text, message):
    try:
        template = Template(text)
    except ValueError:
        return
    assert len(template.literals) == len(template.holes) + 1
    assert template.match(message) is None or set(template.match(message)) == set(template.holes)
    template.find(message)


def test_split_keeps_order():
    assert split("a {x} b {y}") == (["a ", " b ", ""], ["x", "y"])


@pytest.mark.parametrize("unit", ["a", "ab", "ab ab c "])
def test_a_megabyte_of_one_thing_has_no_match(unit):
    template = Template("ab {x} ab {y} ab {z} d")
    text = unit * (1_000_000 // len(unit))
    assert template.match(text) is None
    assert template.find(text) is None
