"""Which zone a line of a paste is in, what is taken off it, and which frames it shows: one rule a test."""

import pytest

from unmeta.match.compile import grammar_here
from unmeta.match.read import Reader

READER = Reader(grammar_here())
HEADER = "Traceback (most recent call last):"
LIBRARY = '  File "/x/site-packages/lib/a.py", line 3, in run'
OWN = '  File "mine.py", line 7, in go'


def read(*lines):
    return READER.read("\n".join(lines))


def zones(*lines):
    return [line.zone for line in read(*lines).lines]


def texts(*lines):
    return [line.text for line in read(*lines).lines]


def frames(*lines):
    return [
        (frame.module, frame.function, frame.line, frame.user, frame.code) for frame in read(*lines).frames
    ]


# what is taken off a line


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("\ta\tb", "a    b"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a[1]", "a[1]"),
        ("x &lt;module&gt; &amp;amp;quot;y&#39;", "x <module> \"y'"),
        ("<b>bold</b> a < b", "bold a < b"),
        ("a < b", "a < b"),
        ("one\x07two", "one two"),
        ("| boxed |", "boxed"),
        ("a || b", "a || b"),
        (f"--- {HEADER} ---", HEADER),
        ("--- a ---", "--- a ---"),
        ("[rank3]: 2025-01-02 03:04:05,678 INFO >>> a", "a"),
    ],
)
def test_what_dresses_a_line_is_taken_off(raw, text):
    assert texts(raw) == [text]


@pytest.mark.parametrize("mark", ["<br>", "</p>", "</div>", "&#10;", "\r\n", "\r"])
def test_what_stands_for_a_new_line_is_one(mark):
    assert texts(f"one{mark}two") == ["one", "two"]


def test_a_new_line_of_html_does_not_count_as_a_line_of_the_paste_and_a_return_does():
    assert [line.number for line in read("one<br>two", "three").lines] == [1, 1, 2]
    assert [line.number for line in READER.read("one\rtwo\r\nthree").lines] == [1, 2, 3]


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "\\n" + OWN + "\\nValueError: no",
        "x\\n" + OWN + "\\nValueError: no",
        "x\\n" + OWN.replace('"', '\\"') + "\\nValueError: no",
        "x\\n" + OWN.strip() + "\\nValueError: no",
    ],
)
def test_escaped_new_lines_of_a_traceback_are_new_lines(text):
    assert texts(text)[-2:] == [OWN.strip(), "ValueError: no"]


def test_escaped_new_lines_elsewhere_stay():
    assert texts("print('a\\nb')") == ["print('a\\nb')"]


def test_an_empty_line_is_left_out_and_the_next_one_knows():
    assert [(line.text, line.gap, line.number) for line in read("a", "", "  ", "b", "c").lines] == [
        ("a", False, 1), ("b", True, 4), ("c", False, 5),
    ]  # fmt: skip


def test_the_column_of_a_line_is_that_of_the_raw_one():
    assert [line.column for line in read("a", "    b", "[rank0]:   c", "| d |").lines] == [0, 4, 2, 11]


def test_a_line_tells_whether_a_logger_wrote_it():
    told = read("a", "INFO b", "2025-01-02 03:04:05 c", "[rank0]: d").lines
    assert [line.logged for line in told] == [False, True, True, False]


# lines that a terminal wrapped, or that lost their ends


def test_a_frame_that_is_wrapped_is_one_line():
    path = "/home/somebody/with/a/long/path/to/the/project/train.py"
    for first, second in (
        (f'File "{path}", line 3,', "in go"),
        (f'File "{path}", line', "3, in go"),
        (f'File "{path}", line 3, in', "go"),
        (f'File "{path[:40]}', f'{path[40:]}", line 3, in go'),
    ):
        assert frames(HEADER, f"  {first}", second, "    code()") == [(path[:-3], "go", 3, True, "code()")]


def test_a_short_line_is_never_taken_for_a_wrapped_one():
    assert texts(HEADER, '  File "a.py", line 3,', "in go")[-1] == "in go"


def test_a_long_line_with_several_frames_is_several_lines_with_one_number():
    line = f'{HEADER} File "{"a" * 40}.py", line 3, in f one(x) File "b.py", line 4, in g ValueError: no'
    found = read("first", line, "last").lines
    assert [(item.number, item.text) for item in found] == [
        (1, "first"),
        (2, HEADER),
        (2, f'File "{"a" * 40}.py", line 3, in f'),
        (2, "one(x)"),
        (2, 'File "b.py", line 4, in g'),
        (2, "ValueError: no"),
        (3, "last"),
    ]


def test_a_long_line_with_one_frame_stays_one():
    line = f'File "{"a" * 90}.py", line 3, in f'
    assert texts(line) == [line]


def test_a_traceback_behind_other_words_is_a_line_of_its_own():
    line = f"the worker with the name of seven letters has died of this: {HEADER} ValueError: no"
    assert texts(line) == [
        "the worker with the name of seven letters has died of this:",
        HEADER,
        "ValueError: no",
    ]


def test_lines_of_a_rank_stand_together_behind_those_without():
    assert texts("[rank1]: a", "b", "[rank0]: c", "[rank1]: d") == ["b", "a", "d", "c"]


# texts that are too long


def test_of_too_many_lines_the_first_third_and_the_last_two_are_kept():
    most = READER.limits["lines"]
    found = texts(*[f"w{number}" for number in range(most + 500)])
    assert found[: most // 3][-1] == f"w{most // 3 - 1}"
    assert found[most // 3] == "..."
    assert found[-1] == f"w{most + 499}"
    assert len(found) == most // 3 + 1 + most * 2 // 3


def test_of_too_long_a_text_both_ends_and_what_surrounds_signals_are_kept_with_their_numbers():
    limit = READER.limits
    filler = "all is well here\n" * 12_000
    text = "first\n" + filler + "it is on meta now\n" + filler + "last"
    found = READER.read(text).lines
    by_text = {line.text: line.number for line in found}
    assert by_text["first"] == 1
    assert by_text["it is on meta now"] == 12_002
    assert by_text["last"] == 24_003
    assert [line.text for line in found].count("...") == 2
    kept = sum(len(line.text) + 1 for line in found)
    assert kept <= limit["head"] + limit["tail"] + 2 * limit["around"] + 200


def test_a_text_within_the_limit_is_kept_whole():
    text = "word and word\n" * (READER.limits["characters"] // 14)
    assert READER._bounded(text) == [(1, text)]


# zones


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([HEADER, OWN, "    code()", "ValueError: no"], ["noise", "own", "code", "message"]),
        ([HEADER, LIBRARY, "    code()", "ValueError: no"], ["noise", "frame", "source", "message"]),
        ([OWN, "    code()", "    ~~~~^^"], ["own", "code", "noise"]),
        ([OWN, "    x = [", "        1]"], ["own", "code", "code"]),
        (["```python", "m.to(d)", "```"], ["noise", "code", "noise"]),
        (
            ["```", "these are plain words", "```", "these are plain words"],
            ["noise", "prose", "noise", "prose"],
        ),
        (
            ["```text", "these are plain words", "```", "these are plain words"],
            ["noise", "log", "noise", "prose"],
        ),
        (["During handling of the above exception, another exception occurred:"], ["noise"]),
        (["=================== FAILURES ==================="], ["noise"]),
        (["-----------------------"], ["noise"]),
        (["...", "it is said"], ["noise", "prose"]),
        (["[... skipped 3 frames]"], ["noise"]),
        (["<snip>"], ["noise"]),
        (["[snip]"], ["noise"]),
        (["(... and so on)"], ["noise"]),
        (["ValueError: one", "    it calls warnings.warn(x)"], ["message", "message"]),
        (
            ["model = load(", "    path,", "    x=1)", "then it fails again"],
            ["code", "code", "code", "prose"],
        ),
        (["model = load(", "", "then it fails again"], ["code", "prose"]),
        (["x.py:3: UserWarning: beware", "  warnings.warn(x)"], ["message", "code"]),
        (
            ["/x/site-packages/lib/a.py:3: UserWarning: beware", "  warnings.warn(x)", "it is said"],
            ["message", "source", "prose"],
        ),
        (["ValueError: one", "    two", "Three of us are here"], ["message", "message", "prose"]),
        (["ValueError: one", "", "    two"], ["message", "log"]),
        (["ValueError: one", "INFO two"], ["message", "log"]),
        (["ValueError: " + "word " * 12 + "and", "then goes on here"], ["message", "message"]),
        (["ValueError: " + "word " * 12 + "end.", "then goes on here"], ["message", "prose"]),
        (["ValueError: short", "then goes on here"], ["message", "prose"]),
        (["ValueError: a", "- one", "'two'", "3 of them"], ["message"] * 4),
        (["{'loss': 1.0}", "[1, 2, 3] of it", "a | b | c"], ["log", "log", "log"]),
        (["INFO these are plain words"], ["log"]),
        (["one"], ["log"]),
        (["one two"], ["prose"]),
        (["a1 b2 c3 one two"], ["log"]),
        (["f(x) is what I call there"], ["prose"]),
        (["it calls f(x)."], ["prose"]),
        (["50%|#####     | 5/10 [00:01<00:02]"], ["noise"]),
    ],
)
def test_each_line_is_in_the_zone_of_whose_words_it_holds(lines, expected):
    assert zones(*lines) == expected


def test_a_repeated_line_counts_for_its_frame():
    found = read(HEADER, LIBRARY, "    f()", "  [Previous line repeated 12 more times]", "ValueError: no")
    assert [frame.times for frame in found.frames] == [13]
    assert [line.zone for line in found.lines] == ["noise", "frame", "source", "source", "message"]


@pytest.mark.parametrize(
    ("lines", "complete"),
    [
        ([HEADER, OWN, "    code()", "ValueError: no"], True),
        ([OWN, "    code()", "ValueError: no"], False),
        ([HEADER, "ValueError: no"], False),
        ([HEADER, OWN, "    code()"], False),
        ([HEADER, OWN, "...", LIBRARY, "ValueError: no"], False),
        ([HEADER, OWN, "[snip]", LIBRARY, "ValueError: no"], False),
        ([HEADER, OWN, "(... more)", LIBRARY, "ValueError: no"], False),
        ([OWN, HEADER, "ValueError: no"], False),
        ([HEADER, OWN, "ValueError: no", HEADER, OWN, "... ", "KeyError: no"], True),
        ([HEADER, OWN, "..." + "x" * 60, "ValueError: no"], True),
    ],
)
def test_a_traceback_is_complete_from_its_header_to_its_message_with_nothing_left_out(lines, complete):
    assert read(*lines).complete == complete


def test_messages_are_told_with_their_line_their_type_and_their_text():
    found = read(
        "torch.cuda.OutOfMemoryError: no memory", "a.py:3: UserWarning: beware", "KeyError", "MyFailed: x"
    )
    assert found.messages == [
        (0, "OutOfMemoryError", "no memory"),
        (1, "UserWarning", "beware"),
        (2, "KeyError", ""),
        (3, "MyFailed", "x"),
    ]


# frames


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        ('File "mine.py", line 7, in go', ("mine", "go", 7, True, "")),
        ("File mine.py:7, in go(x)", ("mine", "go", 7, True, "")),
        ("mine.py:7: in go", ("mine", "go", 7, True, "")),
        ("mine.py:7 in go", ("mine", "go", 7, True, "")),
        ("mine.py:7: ValueError", ("mine", "", 7, True, "")),
        ("mine.py in go(x)", ("mine", "go", 0, True, "")),
        ("> File mine.py:7, in go", ("mine", "go", 7, True, "")),
        ("Cell In[3], line 4", ("<cell>", "<module>", 0, True, "")),
        ("Cell In [3], in go(x)", ("<cell>", "go", 0, True, "")),
        ("<ipython-input-3-abc> in go(x)", ("<cell>", "go", 0, True, "")),
        ('File "mine.py", line 7, in A.go', ("mine", "go", 7, True, "")),
        ("my folder/mine.py:7: in go", ("my folder/mine", "go", 7, True, "")),
        (r"C:\my folder\mine.py:7: in go", None),
        ("I changed mine.py:7: in go", None),
        ("I changed mine.py and then", None),
        ("it is in python", None),
    ],
)
def test_a_frame_is_read_in_each_of_its_forms(line, frame):
    if line.startswith("C:"):
        frame = ("C:/my folder/mine", "go", 7, True, "")
        assert frames(f'File "{line.partition(":7")[0]}", line 7, in go') == [frame]
    else:
        assert frames(line) == ([frame] if frame else [])


@pytest.mark.parametrize(
    ("path", "module", "user"),
    [
        ("/usr/lib/python3.11/threading.py", "threading", False),
        ("/any/where/threading.py", "/any/where/threading", False),
        ("<frozen runpy>", "<frozen runpy>", False),
        ("~/app/main.py", "app/main", True),
        ("torch/nn/modules/module.py", "torch/nn/modules/module", False),
        ("/src/peft/src/peft/model.py", "peft/model", False),
        ("/src/peft/tests/test_model.py", "/src/peft/tests/test_model", True),
        ("/x/site-packages/ipykernel_launcher.py", "ipykernel_launcher", True),
        ("/x/site-packages/a/b.pyx", "a/b", False),
        ("a\\\\b\\\\c.py", "a/b/c", True),
        ("/x/site-packages/a/__init__.py", "a", False),
    ],
)
def test_a_path_is_a_module_of_the_reader_or_of_a_library(path, module, user):
    assert READER._module(path) == (module, user)
    assert READER._module(path) == (module, user), "the second time from memory"


def test_source_lines_belong_to_the_frame_that_they_are_of():
    ipython = ["File mine.py:7, in go(x)", "      6 first()", "----> 7 x.to(d)", "      8 last()"]
    assert frames(*ipython) == [("mine", "go", 7, True, "x.to(d)")]
    assert texts(*ipython)[1:] == ["first()", "x.to(d)", "last()"]
    assert frames(HEADER, OWN, "    first(", "        second)") == [("mine", "go", 7, True, "first(")]


def test_pytest_prints_the_source_of_a_frame_above_its_place():
    lines = ["    def go(x):", ">       x.to(d)", "E       ValueError: no", "", "mine.py:7: ValueError"]
    assert frames("_____ test _____", *lines) == [("mine", "go", 7, True, "x.to(d)")]


# versions


@pytest.mark.parametrize(
    ("lines", "versions", "zone"),
    [
        (["torch 2.6.0"], {"torch": "2.6.0"}, "versions"),
        (["pytorch==2.6.0", "torch==2.5.0"], {"torch": "2.6.0"}, "versions"),
        (["sentence_transformers==3.0.1"], {"sentence-transformers": "3.0.1"}, "versions"),
        (["it began with torch 2.6.0."], {"torch": "2.6.0"}, "versions"),
        (["INFO torch 2.6.0"], {"torch": "2.6.0"}, "versions"),
        ([f"it began with torch 2.6.0 {'and words ' * 5}"], {"torch": "2.6.0"}, "prose"),
        ([f"torch 2.6.0 {'and words ' * 40}"], {}, "prose"),
        (["x = load('torch==2.6.0')"], {}, "code"),
        (["ValueError: needs torch==2.6.0"], {"torch": "2.6.0"}, "message"),
    ],
)
def test_releases_are_read_where_people_and_programs_state_them(lines, versions, zone):
    found = read(*lines)
    assert found.versions == versions
    assert found.lines[0].zone == zone
