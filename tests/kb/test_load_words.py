"""What the loader says of files that it cannot read: every finding of every file, with place and remedy.

Each case adds files to the good catalogue; what is right beside them is not spoken of.
"""

# ruff: noqa: E501  (what is said stands here as it is printed)
from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from unmeta.kb.load import CatalogueError, load

GOOD = Path(__file__).resolve().parent.parent / "good"
CASES: dict[str, tuple[Mapping[str, str | bytes], str]] = {
    "files that are no entries": (
        {
            "kb/causes/note.txt": "x",
            "kb/causes/inner/a.yaml": "x",
            "kb/symptoms/.hidden": "x",
        },
        """\
kb/causes/inner/a.yaml:1: stray-file: only <id>.yaml files live here
    → move or delete it
kb/causes/note.txt:1: stray-file: only <id>.yaml files live here
    → move or delete it
""",
    ),
    "names that are no ids": (
        {
            "kb/causes/Half_Copied.yaml": "x",
            "kb/facts/9a.yaml": "x",
            "kb/facts/a--b.yaml": "x",
            "kb/symptoms/con.yaml": "x",
        },
        """\
kb/causes/Half_Copied.yaml:1: bad-id: 'Half_Copied' is not an id: lower-case words joined by single hyphens, such as 'tied-weights-broken'
    → rename it to half-copied.yaml
kb/facts/9a.yaml:1: bad-id: '9a' is not an id: lower-case words joined by single hyphens, such as 'tied-weights-broken'
    → rename it; a name begins with a letter
kb/facts/a--b.yaml:1: bad-id: 'a--b' is not an id: lower-case words joined by single hyphens, such as 'tied-weights-broken'
    → rename it to a-b.yaml
kb/symptoms/con.yaml:1: bad-id: 'con' is reserved for other files: choose another name
    → rename it
""",
    ),
    "entries that are none": (
        {
            "kb/facts/a.yaml": "",
            "kb/facts/b.yaml": "- x\n",
            "kb/facts/c.yaml": "title: x\nid: c\n",
        },
        """\
kb/facts/a.yaml:1: not-an-entry: the file is empty
    → see `unmeta new ID`
kb/facts/b.yaml:1: not-an-entry: an entry is a mapping of keys to values
    → see `unmeta new ID`
kb/facts/c.yaml:2: repeated-id: the entry repeats its id
    → delete the key: the file name is the id
""",
    ),
    "keys that are missing or unknown": (
        {
            "kb/facts/a.yaml": "title: x\ntitel: y\n",
            "kb/facts/b.yaml": "x: y\n",
        },
        """\
kb/facts/a.yaml:1: missing-key: 'area' is missing
    → add it
kb/facts/a.yaml:1: missing-key: 'says' is missing
    → add it
kb/facts/a.yaml:1: missing-key: 'statement' is missing
    → add it
kb/facts/a.yaml:1: unknown-key: unknown key 'title'
    → known here: statement, says, area, applies, prints, needs, operations, references, aliases
kb/facts/a.yaml:2: unknown-key: unknown key 'titel'
    → known here: statement, says, area, applies, prints, needs, operations, references, aliases
kb/facts/b.yaml:1: missing-key: 'area' is missing
    → add it
kb/facts/b.yaml:1: missing-key: 'says' is missing
    → add it
kb/facts/b.yaml:1: missing-key: 'statement' is missing
    → add it
kb/facts/b.yaml:1: unknown-key: unknown key 'x'
    → known here: statement, says, area, applies, prints, needs, operations, references, aliases
""",
    ),
    "an entry that is wrong as a whole": (
        {"kb/symptoms/b.yaml": "# x\n\ntitle: x\nkind: silent\n"},
        """\
kb/symptoms/b.yaml:3: bad-value: symptom: a silent symptom has `looks_like` and no `messages`
    → see kb/schema and CONTRIBUTING.md
""",
    ),
    "a key inside": (
        {
            "kb/symptoms/a.yaml": "title: x\nkind: exception\ntype: E\nmessages: {m: {text: x, unsen: y}}\nnear_misses: [y]\n",
        },
        """\
kb/symptoms/a.yaml:4: unknown-key: unknown key 'messages.m.unsen'
    → did you mean 'unseen'?
""",
    ),
    "tables": (
        {
            "kb/stacks.toml": "[here\n",
            "kb/lookalikes.toml": "a = 1\n[b]\ntitle = 3\n",
            "kb/noise.toml": "[[noise]]\ntext='x'\n[[noise]]\nwhat='x'\n",
        },
        """\
kb/lookalikes.toml:1: bad-value: a is not a table
    → write [a]
kb/lookalikes.toml:2: bad-value: title: 3 is not text
    → put it into quotes
kb/lookalikes.toml:2: missing-key: 'messages' is missing
    → add it
kb/lookalikes.toml:2: missing-key: 'says' is missing
    → add it
kb/noise.toml:1: missing-key: 'noise.0.kind' is missing
    → add it
kb/noise.toml:1: missing-key: 'noise.0.reason' is missing
    → add it
kb/noise.toml:3: missing-key: 'noise.1.kind' is missing
    → add it
kb/noise.toml:3: missing-key: 'noise.1.reason' is missing
    → add it
kb/noise.toml:3: missing-key: 'noise.1.text' is missing
    → add it
kb/noise.toml:3: unknown-key: unknown key 'noise.1.what'
    → known here: kind, text, reason
kb/stacks.toml:1: bad-toml: Expected ']' at the end of a table declaration (at line 1, column 6)
    → write `name = value` lines and [tables]
""",
    ),
    "an empty file, an open list": (
        {
            "kb/stacks.toml": "",
            "kb/bounds.toml": "x = [\n",
        },
        """\
kb/bounds.toml:1: bad-toml: Invalid value (at end of document)
    → write `name = value` lines and [tables]
kb/stacks.toml:1: no-stacks: the file is empty
    → name at least one stack
""",
    ),
    "no reference": (
        {
            "kb/stacks.toml": "[a]\ntitle='x'\npython='3.11'\npackages={}\n[b]\ntitle='x'\npython='3.11'\npackages={}\n",
        },
        """\
kb/stacks.toml:1: one-reference: exactly one stack is the reference
    → set reference = true on one
""",
    ),
    "characters that steer": (
        {
            "kb/noise.toml": "text='\x1b'\n",
            "kb/lookalikes.toml": "\x01",
        },
        """\
kb/lookalikes.toml:1: control-character: U+0001 does not show itself, and steers what does
    → delete it
kb/noise.toml:1: control-character: U+001B does not show itself, and steers what does
    → delete it
""",
    ),
    "reports": (
        {
            "kb/reports.jsonl": '{"source": "a/b#1", "printed": "x", "context": "y", "cause": "half-copied"}\n\n{"source": 5}\n{"source": "a/b#2", "printed": "x\\u001b", "context": "y", "cause": "half-copied"}\n{"source": "a/b#3", "printed": "x\\u2028", "context": "y", "cause": "half-copied"}\n',
        },
        """\
kb/reports.jsonl:2: bad-json: Invalid JSON: EOF while parsing a value at line 1 column 0
    → write one JSON object a line, without blank lines
kb/reports.jsonl:3: bad-value: source: 5 is not text
    → put it into quotes
kb/reports.jsonl:3: missing-key: 'cause' is missing
    → add it
kb/reports.jsonl:3: missing-key: 'context' is missing
    → add it
kb/reports.jsonl:4: control-character: U+001B does not show itself, and steers what does
    → delete it
""",
    ),
    "snippets": (
        {
            "snippets/half-copied/Broken.py": "x",
            "snippets/half-copied/deep/a.py": "x",
            "snippets/half-copied/fix-a.py": "x = '\u202e'\n",
            "snippets/half-copied/z.py": b"\xff",
            "snippets/README.md": "x",
            "snippets/conftest.py": "x",
        },
        """\
snippets/half-copied/Broken.py:1: stray-file: snippets have other names
    → call it snippets/<entry>/<role>-<id>.py, in lower case
snippets/half-copied/deep/a.py:1: stray-file: snippets have other names
    → call it snippets/<entry>/<role>-<id>.py, in lower case
snippets/half-copied/fix-a.py:1: control-character: U+202E does not show itself, and steers what does
    → delete it
snippets/half-copied/z.py:1: unreadable: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte
    → save it as UTF-8 text
""",
    ),
    "programs": (
        {
            "programs/half-copied/x.py": "x",
            "programs/half-copied/a/main.py": "x",
            "programs/half-copied/b/main.py": b"\xff",
            "programs/half-copied/c/program.yaml": "says: x\n",
            "programs/half-copied/d/program.yaml": "- x\n",
            "programs/half-copied/e/program.yaml": "says: &a x\n",
            "programs/half-copied/f/main.py": "#\x02\n",
            "programs/half-copied/b/program.yaml": "says: x\ncause: half-copied\nevidence: none\nfixx: y\n",
        },
        """\
programs/half-copied/a/program.yaml:1: no-claim: the file is missing
    → say what the program shows
programs/half-copied/b/main.py:1: unreadable: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte
    → save it as UTF-8 text
programs/half-copied/b/program.yaml:4: unknown-key: unknown key 'fixx'
    → did you mean 'fix'?
programs/half-copied/c/program.yaml:1: missing-key: 'cause' is missing
    → add it
programs/half-copied/c/program.yaml:1: missing-key: 'evidence' is missing
    → add it
programs/half-copied/d/program.yaml:1: not-an-entry: a claim is a mapping of keys to values
    → write `says`, `cause`, `evidence` and, where there is one, `fix`
programs/half-copied/e/program.yaml:1: anchor: &a stands for a value
    → write the value out, or quote it if it is text
programs/half-copied/f/main.py:1: control-character: U+0002 does not show itself, and steers what does
    → delete it
programs/half-copied/f/program.yaml:1: no-claim: the file is missing
    → say what the program shows
programs/half-copied/x.py:1: stray-file: only programs live here
    → call it programs/<cause>/<name>/<file>
""",
    ),
}


def root_with(tmp_path: Path, files: Mapping[str, str | bytes]) -> Path:
    root = shutil.copytree(GOOD, tmp_path / "root")
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(tmp_path: Path, name: str) -> None:
    files, said = CASES[name]
    with pytest.raises(CatalogueError) as error:
        load(root_with(tmp_path, files))
    assert str(error.value).splitlines() == said.strip("\n").splitlines()


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError) as error:
        load(tmp_path)
    assert str(error.value) == (
        f"kb:1: no-catalogue: {tmp_path / 'kb'} is not a folder\n    → run from the project's root"
    )


def test_no_stacks(tmp_path: Path) -> None:
    root = root_with(tmp_path, {})
    (root / "kb/stacks.toml").unlink()
    with pytest.raises(CatalogueError) as error:
        load(root)
    assert str(error.value).startswith(
        "kb/stacks.toml:1: no-stacks: the file is missing\n    → name at least"
    )


def test_what_is_hidden_or_of_another_kind_is_passed_over(tmp_path: Path) -> None:
    files = {"kb/symptoms/.hidden": "x", "snippets/README.md": "x", "snippets/conftest.py": "x"}
    found, good = load(root_with(tmp_path, files)), load(GOOD)
    assert found.snippets.keys() == good.snippets.keys()
    assert found.symptoms.keys() == good.symptoms.keys()


def test_a_line_is_that_of_the_deepest_key_that_is_known() -> None:
    good = load(GOOD)
    rows = (GOOD / "kb/causes/half-copied.yaml").read_text().split("\n")

    def line(*path: str | int) -> str:
        return rows[good.line("causes", "half-copied", *path) - 1].strip()

    assert line("summary").startswith("summary:")
    assert line("symptoms", 0).startswith("- id: nothing-to-copy")
    assert line("symptoms", 0, "tells") == "tells: with"
    assert line("symptoms", 0, "tells", "deeper") == "tells: with"
    assert line("symptoms", 7) == "symptoms:"
    assert good.line("causes", "half-copied", "nowhere") == good.line("causes", "nobody") == 1


def test_reports_that_hold_a_separator_of_lines_are_read(tmp_path: Path) -> None:
    report = '{"source": "a/b#3", "printed": "x\u2028y", "context": "y", "cause": "half-copied"}\n'
    (found,) = load(root_with(tmp_path, {"kb/reports.jsonl": report})).reports
    assert found.printed == "x\u2028y"
